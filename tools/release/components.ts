import { ALL_SERVICES, REMOTES } from '@maker/local-stack';

/** Components with an image each, named like their folders in apps/. */
export const COMPONENTS = [
  'api-gateway',
  'canary',
  'token-validation',
  'job',
  'payment-watcher',
  'maker-executor',
  'operator-cli',
  'preflight',
  'receipts',
  'site',
  'webhook-sender',
] as const;

/** See {@link COMPONENTS}. */
export type Component = (typeof COMPONENTS)[number];

/** Components whose program is a bundle (docs/adr/0039): the parts of a stack. */
export const BUNDLED: readonly Component[] = [...ALL_SERVICES, 'site'];

/** The site's browser builds, by app, and their folders next to its server. */
export const BROWSER_BUILDS: Readonly<Record<string, string>> = {
  shell: 'shell',
  'verify-page': 'verify',
  ...Object.fromEntries(REMOTES.map((name) => [name, `remotes/${name}`])),
};
