// Tests the dashboard of a real service in headless Chromium.
//
// node check.mjs SCREENSHOT_DIR [CASE]
import { cases } from './cases.mjs';
import { runCases } from './runner.mjs';

const [screenshots = 'target/dashboard-screenshots', only] = process.argv.slice(2);
await runCases(cases, screenshots, only);
