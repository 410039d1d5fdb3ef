/** These wait for jobs to end, so they start first and other pages are tested meanwhile. Tests of one file run in sequence. */
const WAITING = ['**/whole-job.e2e.ts', '**/receipt.e2e.ts', '**/keyboard.e2e.ts', '**/verify.e2e.ts'];

/** Files that take minutes have this in their name. */
const LONG = '**/*.long.e2e.ts';

interface BrowserProject {
  name: string;
  testMatch?: string | string[];
  testIgnore?: string[];
  fullyParallel?: boolean;
}

/** Projects of playwright.config.ts, apart from it, since it looks for Chromium when it is read. */
export const PROJECTS: BrowserProject[] = [
  { name: 'waiting', testMatch: WAITING },
  { name: 'pages', testIgnore: [...WAITING, LONG], fullyParallel: true },
  { name: 'long', testMatch: LONG },
];
