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

/** All services: a stack has those after {@link SERVICES} only when its options request them. */
export const ALL_SERVICES = [...SERVICES, 'webhook-sender'] as const;

/** Name of a service: its folder in `apps/`. */
export type ServiceName = (typeof ALL_SERVICES)[number];

/** The remotes that the shell federates: the apps with a step or a page. */
export const REMOTES: readonly string[] = globSync('apps/*/src/{step,page}.tsx', { cwd: WORKSPACE_ROOT })
  .map((file) => basename(dirname(dirname(file))))
  .sort();

/** Addresses of one replica of a service. */
export interface ReplicaAddresses {
  /** For `/livez`, `/readyz` and `/metrics`. */
  ops: string;
  /** Of the gateway only: for the API. */
  api?: string;
}

/** The content of `stack.json`: the facts about a running stack that tests and tools need. */
export interface StackDescription {
  shellUrl: string;
  apiUrl: string;
  /** The browser's API key. */
  apiKey: string;
  operatorApiKey: string;
  /** The operators who may sign commands, each with their key file. */
  operators: { name: string; keyFile: string }[];
  rpcUrl: string;
  /** For commands to the chain of tests and tools only, such as its time; see `controlNode` of @maker/hyperevm-node. */
  chainControlUrl: string;
  chainId: number;
  /** Without a database; each service has its own. */
  mongoUrl: string;
  natsUrl: string;
  /** Each service's replicas, by their index; empty for a service that this stack does not have. */
  replicas: Record<ServiceName, ReplicaAddresses[]>;
  /** Ops address of each service's first replica; absent for a service that this stack does not have. */
  ops: Record<ServiceName, string>;
  treasury: string;
  payer: DemoAccount;
  tokens: DemoTokens;
  contracts: ChainContracts;
}
