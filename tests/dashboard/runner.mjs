// Runs cases in headless Chromium, and prints the failures at the end.
import { mkdirSync } from 'node:fs';
import { chromium } from 'playwright-core';

/** Runs all cases whose names contain `only`; `screenshots` is the folder for screenshots. */
export async function runCases(cases, screenshots, only) {
  mkdirSync(screenshots, { recursive: true });
  const problems = [];
  let checks = 0;
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-sync',
      '--disable-component-update',
      '--no-first-run',
    ],
  });
  try {
    for (const [name, run] of Object.entries(cases)) {
      if (only && !name.includes(only)) continue;
      const start = performance.now();
      const check = (holds, what) => {
        checks += 1;
        if (!holds) problems.push(`${name}: ${what}`);
      };
      try {
        await run({
          browser,
          problems,
          check,
          name,
          shoot: (page, as, options) => page.screenshot({ path: `${screenshots}/${as}.png`, ...options }),
        });
      } catch (error) {
        problems.push(`${name}: ${error.stack}`);
      }
      console.log(`${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
    }
  } finally {
    await browser.close();
  }
  for (const problem of problems) console.error(problem);
  console.log(`${checks} checks, ${problems.length} problems`);
  process.exit(problems.length === 0 ? 0 : 1);
}
