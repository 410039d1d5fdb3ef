import type { ChainClock } from '../chain/node.ts';
import type { ServiceName } from './description.ts';
import type { ServiceProgram } from './service-program.ts';

/** What to start and where. */
export interface StackOptions {
  /** Keeps data, logs and `stack.json`; `.stack` in the checkout unless told. */
  directory?: string;
  /** `fixed`: the well-known ports (the default). `free`: any, so that stacks can run side by side. */
  ports?: 'fixed' | 'free';
  /** Go on with the data of an earlier start in the same directory. */
  keep?: boolean;
  /** Each includes those before it; all unless told. Services and the page must have been built before, or be built by `build`. */
  parts?: 'infrastructure' | 'services' | 'all';
  /** Added to, or put in the place of, what the stack sets for a service. */
  environment?: Partial<Record<ServiceName, Record<string, string>>>;
  /** How many of a service there are; one unless told. Nothing balances load between them: `replicas` of the stack says where each is. */
  replicas?: Partial<Record<ServiceName, number>>;
  /** The port under which services reach a server, so that something can stand between; the server's own unless told. */
  reach?: (server: 'mongod' | 'nats-server' | 'chain', port: number) => Promise<number>;
  /** Who is told of jobs, as webhook-sender reads it; without one that service is not started. */
  webhookEndpointsFile?: string | undefined;
  /** How fast the chain lives; as HyperEVM does unless told. */
  clock?: ChainClock;
  /** Start a service again when it ends without being told to. */
  restartCrashed?: boolean;
  /** Bundles unless told, as in images; the modules of `tsc` where what goes on in a package is watched, or a build takes too long. */
  program?: ServiceProgram | undefined;
  /** Brings what services and the page are run from up to date, while the servers start. */
  build?: (signal: AbortSignal) => Promise<void>;
  /** Read the page's files at each request. */
  watchSite?: boolean;
  /** Told of each part that is ready, with the milliseconds it took. */
  onReady?: (part: string, milliseconds: number) => void;
  /** Told of crashes and restarts, in a line for people. */
  notify?: (line: string) => void;
  /** Told when a server that nothing works without has ended by itself. */
  onLost?: (line: string) => void;
  /** Gives up a start that is under way. */
  signal?: AbortSignal;
}
