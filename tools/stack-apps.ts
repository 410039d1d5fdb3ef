import { ALL_SERVICES, REMOTES } from '@maker/local-stack';

/** Folders of the apps for browsers. */
export const PAGES: readonly string[] = ['shell', ...REMOTES, 'verify-page'].map((name) => `apps/${name}`);

/** Folders of the apps that a stack runs: all except the programs for operators and payers. */
export const STACK_APPS: readonly string[] = [...[...ALL_SERVICES, 'site'].map((name) => `apps/${name}`), ...PAGES];
