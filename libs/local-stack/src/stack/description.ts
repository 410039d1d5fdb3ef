import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { DemoAccount } from '../chain/accounts.ts';
import type { DemoTokens } from '../chain/deploy-tokens.ts';
import type { ChainContracts } from '../chain/venues/venues.ts';
import { WORKSPACE_ROOT } from '../paths.ts';

/** The services of every stack, in the order in which they are shown. */
export const SERVICES = [
  'api-gateway',
  'token-validation',
  'job',
  'payment-watcher',
  'maker-executor',
  'receipts',
] as const;

/** All services: a stack has those after {@link SERVICES} where its options ask for them. */
export const ALL_SERVICES = [...SERVICES, 'webhook-sender'] as const;

/** Name of a service: its folder in `apps/`. */
export type ServiceName = (typeof ALL_SERVICES)[number];

/** The remotes that the shell federates: the apps of a step or of a page of its own. */
export const REMOTES: readonly string[] = globSync('apps/*/src/{step,page}.tsx', { cwd: WORKSPACE_ROOT })
  .map((file) => basename(dirname(dirname(file))))
  .sort();

/** Where one replica of a service listens. */
export interface ReplicaAddresses {
  /** For `/livez`, `/readyz` and `/metrics`. */
  ops: string;
  /** Of the gateway alone: for the API. */
  api?: string;
}

/** The content of `stack.json`: all that tests and tools need to know of a running stack. */
export interface StackDescription {
  shellUrl: string;
  apiUrl: string;
  /** The key that the browser sends. */
  apiKey: string;
  operatorApiKey: string;
  /** Those who may sign commands, each with the file of their key. */
  operators: { name: string; keyFile: string }[];
  rpcUrl: string;
  /** What only tests and tools may order of the chain, such as its time; see `controlNode` of @maker/hyperevm-node. */
  chainControlUrl: string;
  chainId: number;
  /** Without a database; each service has one of its own. */
  mongoUrl: string;
  natsUrl: string;
  /** The server's own pages, such as `/varz` and `/jsz`. */
  natsMonitorUrl: string;
  /** Each service's replicas, by their index; none of a service that this stack has not. */
  replicas: Record<ServiceName, ReplicaAddresses[]>;
  /** Each service's first replica's own port for `/livez`, `/readyz` and `/metrics`; nothing of a service that this stack has not. */
  ops: Record<ServiceName, string>;
  treasury: string;
  payer: DemoAccount;
  tokens: DemoTokens;
  contracts: ChainContracts;
}
