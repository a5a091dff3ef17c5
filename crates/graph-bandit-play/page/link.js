// A set-up as the hash of an address, which people can read, change and share.

export const USUAL = {
  graph: 'grid:10x10',
  agents: ['g-ucb', 'g-star', 'local-ucb'],
  steps: 2000,
  seed: 1,
  start: 0,
  means: 'uniform:0.5,9.5',
  noise: 'uniform:0.5',
  changes: [],
};

/** The most nodes of a drawing that fits into a link. */
const MOST_DRAWN = 150;

const DIGITS = 3;

/** The program's options for reading a map. */
export const READING = ['largest_component', 'directed', 'times', 'speed', 'visit_time'];

/** The hash for this set-up. It has the name and the options of a map file, which must be loaded again. */
export function linkOf(setup, file) {
  const parts = [];
  const add = (name, value) => parts.push(`${name}=${escaped(String(value))}`);
  if (file) {
    add('map', file.name);
    for (const [option, value] of Object.entries(file.options)) add(option, value);
  } else if (typeof setup.graph === 'string') add('graph', setup.graph);
  else if (setup.graph.nodes <= MOST_DRAWN) {
    add('nodes', setup.graph.coordinates.map(([x, y]) => `${short(x)},${short(y)}`).join(';'));
    add('roads', setup.graph.edges.map(([a, b]) => `${a}-${b}`).join(','));
  }
  for (const agent of setup.agents) add('agent', agent);
  for (const name of ['steps', 'seed', 'start', 'means', 'noise'])
    if (name === 'steps' || name === 'seed' || setup[name] !== USUAL[name]) add(name, setup[name]);
  for (const { t, close, open } of setup.changes) {
    const [a, b] = close ?? open;
    add(close ? 'close' : 'open', `${t}:${a}-${b}`);
  }
  return `#${parts.join('&')}`;
}

const short = (number) => String(Number(number.toFixed(DIGITS)));

/** Encodes only what an address must not have; the rest stays readable. */
const escaped = (text) =>
  encodeURIComponent(text).replace(/%(3A|2C|3B|2F|40|5B|5D)/g, (code) => decodeURIComponent(code));

/**
 * The set-up of a hash, with defaults for missing values; `file` has the name and the options of a map that must be
 * loaded first. Text that is not a number stays as it is: the program has the better message.
 */
export function setupOf(hash) {
  const said = new URLSearchParams(hash.replace(/^#/, '').replaceAll('+', '%2B'));
  const setup = { ...USUAL, changes: changesOf(said) };
  for (const name of ['graph', 'means', 'noise']) if (said.has(name)) setup[name] = said.get(name);
  for (const name of ['steps', 'seed', 'start']) if (said.has(name)) setup[name] = numberOf(said.get(name));
  if (said.has('agent')) setup.agents = said.getAll('agent').filter(Boolean);
  if (said.has('nodes')) setup.graph = drawnGraph(said.get('nodes'), said.get('roads') ?? '');
  if (!said.has('map')) return { setup, file: null };
  const options = READING.filter((option) => said.has(option)).map((option) => [option, said.get(option)]);
  return { setup, file: { name: said.get('map'), options: Object.fromEntries(options) } };
}

/** Larger numbers would be rounded silently. */
const numberOf = (text) => (/^\d+$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : text);

function drawnGraph(nodes, roads) {
  const coordinates = nodes.split(';').map((node) => node.split(',').map(Number));
  const edges = roads
    .split(',')
    .filter(Boolean)
    .map((road) => road.split('-').map(Number));
  return { nodes: coordinates.length, edges, coordinates };
}

function changesOf(said) {
  const found = [];
  for (const [name, value] of said) {
    const change = /^(\d+):(\d+)-(\d+)$/.exec(value);
    if (!change || (name !== 'close' && name !== 'open')) continue;
    const [t, a, b] = change.slice(1).map(Number);
    found.push({ t, [name]: [a, b] });
  }
  return found.sort((one, other) => one.t - other.t);
}

/** The command for the same run in a shell; null if a command cannot name the graph. */
export function commandOf(setup, file) {
  const graph = file?.name ?? (typeof setup.graph === 'string' ? setup.graph : null);
  if (!graph) return null;
  const quoted = (text) => (/^[\w.:,=+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);
  const flags = [`--graph ${quoted(graph)}`, `--agents ${quoted(setup.agents.join(','))}`];
  flags.push(`--steps ${setup.steps}`, `--seed ${setup.seed}`, '--runs 1');
  for (const [option, value] of Object.entries(file?.options ?? {})) {
    const flag = `--${option.replaceAll('_', '-')}`;
    flags.push(value === 'true' ? flag : `${flag} ${quoted(value)}`);
  }
  const start = setup.graph.names?.[setup.start] ?? String(setup.start);
  if (setup.start !== USUAL.start) flags.push(`--start ${quoted(start)}`);
  for (const name of ['means', 'noise']) if (setup[name] !== USUAL[name]) flags.push(`--${name} ${quoted(setup[name])}`);
  return `gbandit run ${flags.join(' ')}`;
}
