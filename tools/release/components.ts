import { ALL_SERVICES, REMOTES } from '@maker/local-stack';

/** Each is an image of its own, named like its folder of apps/. */
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

/** Those whose program is a bundle (docs/adr/0039): what a stack runs. */
export const BUNDLED: readonly Component[] = [...ALL_SERVICES, 'site'];

/** What browsers load of the site: where each build lies beside its server. */
export const BROWSER_BUILDS: Readonly<Record<string, string>> = {
  shell: 'shell',
  'verify-page': 'verify',
  ...Object.fromEntries(REMOTES.map((name) => [name, `remotes/${name}`])),
};
