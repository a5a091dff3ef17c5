// All test cases of the dashboard.
import { changing } from './cases/changing.mjs';
import { conditions } from './cases/conditions.mjs';
import { creation } from './cases/creation.mjs';
import { picture } from './cases/picture.mjs';
import { reading } from './cases/reading.mjs';
import { roads } from './cases/roads.mjs';
import { teams } from './cases/teams.mjs';
import { town } from './cases/town.mjs';
import { watching } from './cases/watching.mjs';

export const cases = {
  ...creation,
  ...watching,
  ...reading,
  ...roads,
  ...town,
  ...changing,
  ...teams,
  ...picture,
  ...conditions,
};
