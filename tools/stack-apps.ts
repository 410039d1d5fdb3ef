import { ALL_SERVICES, REMOTES } from '@maker/local-stack';

/** Folders of the apps that a browser loads. */
export const PAGES: readonly string[] = ['shell', ...REMOTES, 'verify-page'].map((name) => `apps/${name}`);

/** Folders of the apps that a stack runs: all but the programs of operators and of payers. */
export const STACK_APPS: readonly string[] = [...[...ALL_SERVICES, 'site'].map((name) => `apps/${name}`), ...PAGES];
