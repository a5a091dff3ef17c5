// Tests the page of `gbandit play` in headless Chromium, with the runner and the window of the dashboard's tests.
//
// node check.mjs SCREENSHOT_DIR [CASE]
import { runCases } from '../dashboard/runner.mjs';
import { looks } from './cases/looks.mjs';
import { playing } from './cases/playing.mjs';
import { settingUp } from './cases/setting-up.mjs';

const [screenshots = 'target/play-screenshots', only] = process.argv.slice(2);
await runCases({ ...playing, ...settingUp, ...looks }, screenshots, only);
