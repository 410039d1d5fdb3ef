import { REMOTES } from '@maker/local-stack';

/** Components with an image each, named like their folders in apps/; each program is a bundle (docs/adr/0039). */
export const COMPONENTS = [
  'api-gateway',
  'token-validation',
  'job',
  'payment-watcher',
  'maker-executor',
  'ops',
  'receipts',
  'site',
  'webhook-sender',
] as const;

/** See {@link COMPONENTS}. */
export type Component = (typeof COMPONENTS)[number];

/** The site's browser builds, by app, and their folders next to its server. */
export const BROWSER_BUILDS: Readonly<Record<string, string>> = {
  shell: 'shell',
  'verify-page': 'verify',
  ...Object.fromEntries(REMOTES.map((name) => [name, `remotes/${name}`])),
};
