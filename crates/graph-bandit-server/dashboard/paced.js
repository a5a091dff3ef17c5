// Work that is asked for more often than it can be done: it takes a third of the time at most.

/** A function that asks for `task`; it is done soon, but not twice within `least` milliseconds. */
export function paced(task, least, signal) {
  let [asked, running] = [false, false];
  const work = async () => {
    running = true;
    while (asked && !signal?.aborted) {
      asked = false;
      const start = performance.now();
      await task();
      const took = performance.now() - start;
      await new Promise((resolve) => setTimeout(resolve, Math.max(least, 2 * took)));
    }
    running = false;
  };
  return () => {
    asked = true;
    if (!running) work();
  };
}
