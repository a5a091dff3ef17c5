// The page's clock: fetches the race a little ahead of what is shown, and stops when the reader stops it.

import { advance } from './api.js';

/** How much of the race to fetch at once, and how long before it is needed, in seconds. */
const [PIECE, AHEAD] = [0.1, 0.03];
/** After a stop, the step is finished at this rate at least, in steps per second. */
const SETTLE = 12;
/** The most steps to fetch at once. */
const MOST = 20_000;

export class Clock {
  /** `heard` has the callbacks for frames, news, ends and errors. */
  constructor(heard) {
    this.heard = heard;
    this.speed = 30;
    this.isPlaying = false;
    this.film = null;
    this.asking = null;
    this.before = null;
    this.goal = Infinity;
  }

  /** Starts another race. */
  load(film) {
    this.film = film;
    this.asking = null;
    this.goal = Infinity;
    this.setPlaying(false);
    this.wanted = film.shown;
  }

  setPlaying(playing) {
    if (playing && this.film?.isOver && this.film.parts.length === 0) return;
    this.isPlaying = playing;
    this.goal = Infinity;
    if (this.film) this.wanted = this.film.shown;
    this.before = null;
    this.tick();
  }

  /** Shows one more step, and stops. */
  step() {
    if (!this.film) return;
    this.isPlaying = true;
    this.goal = Math.min(this.film.steps, Math.floor(this.film.shown + 1e-9) + 1);
    this.wanted = this.film.shown;
    this.before = null;
    this.tick();
  }

  /** Whether everything fetched is shown. */
  get isSettled() {
    return !this.asking && this.film.parts.length === 0;
  }

  /** Resolves when everything fetched is shown; then the race can be changed. */
  async settled() {
    while (!this.isSettled) await new Promise((resolve) => requestAnimationFrame(resolve));
  }

  tick() {
    this.frame ??= requestAnimationFrame((now) => {
      this.frame = null;
      this.draw(now);
    });
  }

  draw(now) {
    const { film } = this;
    if (!film) return;
    const passed = this.before === null ? 0 : Math.min(0.25, (now - this.before) / 1000);
    this.before = now;
    const slow = !this.isPlaying || this.goal < Infinity;
    const rate = slow ? Math.max(SETTLE, Math.min(this.speed, 60)) : this.speed;
    // Time spent waiting for the program is not made up for.
    this.wanted = Math.min(this.wanted + passed * rate, film.t + rate * PIECE, this.goal);
    const news = film.show(this.wanted);
    this.heard.frame(film);
    if (news) this.heard.news(film);
    if (film.shown >= this.goal) this.stop();
    if (film.isOver && film.parts.length === 0 && this.isPlaying) {
      this.stop();
      this.heard.over(film);
    }
    if (this.isPlaying && !this.holding) this.askAhead(film);
    if (this.isPlaying || !this.isSettled) this.tick();
  }

  stop() {
    this.isPlaying = false;
    this.goal = Infinity;
    this.heard.stopped();
  }

  askAhead(film) {
    if (this.asking || film.isOver || film.t >= this.goal) return;
    if (film.t - this.wanted > this.speed * AHEAD) return;
    const piece = Math.min(MOST, Math.max(1, Math.round(this.speed * PIECE)));
    const until = Math.min(film.t + piece, this.goal, film.steps);
    this.asking = this.ask(film, until);
  }

  async ask(film, until) {
    try {
      const progress = await advance(film.id, until);
      if (film === this.film) film.add(progress);
    } catch (error) {
      if (film === this.film) this.heard.failed(error);
    } finally {
      if (film === this.film) {
        this.asking = null;
        this.tick();
      }
    }
  }
}
