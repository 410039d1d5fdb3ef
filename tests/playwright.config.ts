import { defineConfig } from '@playwright/test';
import { findChromium } from '../tools/chromium.ts';
import { PROJECTS } from './playwright.projects.ts';

/** Chromium's own traffic to its vendor does not belong in a test. */
const QUIET = [
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-domain-reliability',
  '--disable-quic',
  '--disable-sync',
  '--metrics-recording-only',
  '--no-first-run',
];

/** Otherwise Chromium uses an emulated GPU, which takes a tenth of the processors' time. */
const NO_GPU = ['--disable-gpu'];

const { TEST_REPORT, TEST_TITLES } = process.env;
const executablePath = await findChromium('shell', () => console.log('… installing Chromium'));

export default defineConfig({
  testDir: './e2e',
  testMatch: '**/*.e2e.ts',
  ...(TEST_TITLES ? { grep: new RegExp(TEST_TITLES) } : {}),
  projects: PROJECTS,
  outputDir: '../test-results/browser',
  globalSetup: './e2e/stack.setup.ts',
  // With two cores more are no faster: the pages then take the time of the jobs that they wait for.
  workers: 3,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: [['list'], ...(TEST_REPORT ? ([['json', { outputFile: TEST_REPORT }]] as const) : [])],
  use: {
    // An element that is not clickable by then never will be; the test need not wait for its own timeout.
    actionTimeout: 15_000,
    screenshot: 'only-on-failure',
    // Traces take a tenth of the time of all tests; use `npx playwright test --trace on`.
    trace: 'off',
    // Endless animations paint 60 times a second: a quarter of the time of all pages. steps.e2e.ts has motion.
    contextOptions: { reducedMotion: 'reduce' },
    // Chromium's sandbox needs rights that containers and root do not have.
    launchOptions: { args: ['--no-sandbox', ...QUIET, ...NO_GPU], executablePath },
  },
});
