// What to write where agents and graphs are named; a test holds the lists against the registry.

export const AGENTS = [
  'g-star',
  'g-ucb',
  'g-ts',
  'g-moss',
  'g-imed',
  'g-klucb',
  'direct-sp',
  'ucrl2',
  'g-ucb-ucrl2-bound',
  'g-ucb-ucrl2-doubling',
  'local-ucb',
  'local-ts',
  'ql-eps',
  'ql-ucb-h',
];

export const GRAPHS = [
  'grid:10x10',
  'geometric:1000,0.06',
  'arkansas',
  'circle:100',
  'line:100',
  'star:100',
  'tree:100,3',
  'small-world:60,4,0.2',
  'erdos-renyi:1000,0.01',
  'barbell:15,8',
  'broom:50,6',
  'complete:100',
];
