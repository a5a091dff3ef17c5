// Throttles work that is requested more often than it can run: it takes at most a third of the time.

/** Returns a function that requests `task`. It runs soon, with at least `least` milliseconds between two runs. */
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
