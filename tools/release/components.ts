import { REMOTES } from '@maker/local-stack';

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
  'site',
  'webhook-sender',
] as const;

/** See {@link COMPONENTS}. */
export type Component = (typeof COMPONENTS)[number];

/** What browsers load of the site: where each build lies beside its server. */
export const BROWSER_BUILDS: Readonly<Record<string, string>> = {
  shell: 'shell',
  'verify-page': 'verify',
  ...Object.fromEntries(REMOTES.map((name) => [name, `remotes/${name}`])),
};
