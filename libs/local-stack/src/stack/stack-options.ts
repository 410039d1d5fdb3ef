import type { ChainClock } from '../chain/node.ts';
import type { ServiceName } from './description.ts';
import type { ServiceProgram } from './service-program.ts';

/** What to start, and where. */
export interface StackOptions {
  /** Folder of data, logs and `stack.json`; default: `.stack` in the checkout. */
  directory?: string;
  /** `fixed`: the well-known ports (the default). `free`: any free ports, so that stacks can run side by side. */
  ports?: 'fixed' | 'free';
  /** Continue with the data of an earlier start in the same directory. */
  keep?: boolean;
  /** Each includes those before it; default: all. Services and the page must have a build, or `build` builds them. */
  parts?: 'infrastructure' | 'services' | 'all';
  /** Environment variables for a service, which override the stack's own. */
  environment?: Partial<Record<ServiceName, Record<string, string>>>;
  /** Number of replicas of a service; default 1. No load balancer: `replicas` of the stack lists their addresses. */
  replicas?: Partial<Record<ServiceName, number>>;
  /** Returns the port through which services reach a server, so that a test can insert a proxy; default: the server's own. */
  reach?: (server: 'mongod' | 'nats-server' | 'chain', port: number) => Promise<number>;
  /** The endpoints of webhooks, in webhook-sender's format. Without this file the stack does not start that service. */
  webhookEndpointsFile?: string | undefined;
  /** Speed of the chain's clock; default: HyperEVM's. */
  clock?: ChainClock;
  /** Start a service again when it ends without a stop. */
  restartCrashed?: boolean;
  /** Default: bundles, as in images. Modules of `tsc` let a test observe calls inside a package, or avoid a slow build. */
  program?: ServiceProgram | undefined;
  /** Builds services and the page, while the servers start. */
  build?: (signal: AbortSignal) => Promise<void>;
  /** Read the page's files again at each request. */
  watchSite?: boolean;
  /** Called for each part that is ready, with the milliseconds it took. */
  onReady?: (part: string, milliseconds: number) => void;
  /** Called at crashes and restarts, with a line for people. */
  notify?: (line: string) => void;
  /** Called when a server that the whole stack needs has ended on its own. */
  onLost?: (line: string) => void;
  /** Aborts a start in progress. */
  signal?: AbortSignal;
}
