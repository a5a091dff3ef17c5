// Numbers formatted for people.

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0, signDisplay: 'negative' });
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 });

/** A count: 12,345. */
export const count = (number) => whole.format(number);

/** A count where there is little room: 12.3K. */
export const shortCount = (number) => (number < 10_000 ? whole.format(number) : compact.format(number));

/** One thing, or many. */
export const things = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;

/** A measured number, with enough digits to compare it with others of its size. */
export function measure(number) {
  if (number === undefined || number === null || !Number.isFinite(number)) return '–';
  const size = Math.abs(number);
  if (size !== 0 && (size < 1e-3 || size >= 1e9)) return number.toExponential(2);
  const digits = size >= 1000 ? 0 : size >= 100 ? 1 : size >= 10 ? 2 : 3;
  return number.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** About `about` round numbers from `low` to `high`. */
export function ticks(low, high, about) {
  if (!(high > low)) return [low];
  const rough = (high - low) / Math.max(1, about);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough * 0.999);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k += 1) found.push(k * step);
  return found;
}

/** The label of a tick: no more digits than the steps between ticks need. */
export function tickLabel(value, step) {
  if (value === 0) return '0';
  if (Math.abs(value) >= 10_000) return compact.format(value);
  const digits = step > 0 ? Math.max(0, Math.min(6, -Math.floor(Math.log10(step) + 1e-9))) : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
