import { parseArgs } from 'node:util';
import { BLOCKS_PER_REQUEST, knownPace, readServiceIdentity } from '@maker/receipt';

/** Usage text of the program. */
export const USAGE = `usage: npm run verify -- <receipt.json> --rpc <URL> [--service <address>] [--prices [--log-blocks <blocks>]] [--per-minute <requests>]
Checks a job's receipt against the chain and names the first broken rule. It queries only the given endpoint.
  --rpc         any endpoint of the receipt's chain; HyperEVM's public one is https://rpc.hyperliquid.xyz/evm
  --service     the identity that the service publishes; without it the verdict names an unknown service
  --prices      compares each order with every pool of the pair; reads the events of all blocks since the first order
  --log-blocks  blocks that the endpoint searches for events in one request; by default 50, as HyperEVM's public endpoints
  --per-minute  limit of requests in a minute; by default 90 for HyperEVM's public endpoints, which allow 100
Exit status: 0, no rule is broken; 1, a rule is broken; 2, the receipt could not be checked.`;

/** Parsed command line. */
export interface Options {
  readonly path: string;
  readonly rpcUrl: URL;
  /** Expected identity of the service. */
  readonly service?: `0x${string}`;
  /** Blocks for each request of events; absent: prices are not checked. */
  readonly blocksPerRequest?: number;
  /** Absent: no limit. */
  readonly requestsPerMinute?: number;
}

/** The command line is invalid; the message includes the usage text. */
export class UsageError extends Error {
  constructor(problem: string) {
    super(`${problem}\n${USAGE}`);
    this.name = 'UsageError';
  }
}

/** Reads the command line. @throws UsageError */
export function readOptions(args: readonly string[]): Options {
  const { positionals, values } = parsed(args);
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new UsageError('one receipt file must be named');
  if (values.rpc === undefined) throw new UsageError('--rpc must name an endpoint');
  const rpcUrl = URL.canParse(values.rpc) ? new URL(values.rpc) : undefined;
  if (!rpcUrl || !/^https?:$/.test(rpcUrl.protocol)) throw new UsageError('--rpc must be an http or https URL');
  const requestsPerMinute = paceOf(values['per-minute'], rpcUrl);
  const service = serviceOf(values.service);
  const blocksPerRequest = logBlocksOf(values);
  return {
    path,
    rpcUrl,
    ...(service && { service }),
    ...(blocksPerRequest !== undefined && { blocksPerRequest }),
    ...(requestsPerMinute !== undefined && { requestsPerMinute }),
  };
}

function serviceOf(wanted: string | undefined) {
  if (wanted === undefined) return undefined;
  const service = readServiceIdentity(wanted);
  if (!service) throw new UsageError('--service must be an address');
  return service;
}

function logBlocksOf({ prices, 'log-blocks': wanted }: ReturnType<typeof parsed>['values']): number | undefined {
  if (!prices && wanted !== undefined) throw new UsageError('--log-blocks needs --prices');
  if (!prices) return undefined;
  if (wanted === undefined) return BLOCKS_PER_REQUEST;
  if (!/^[1-9]\d{0,5}$/.test(wanted)) throw new UsageError('--log-blocks must be a whole number above 0');
  return Number(wanted);
}

function paceOf(wanted: string | undefined, url: URL): number | undefined {
  if (wanted === undefined) return knownPace(url);
  if (!/^[1-9]\d{0,5}$/.test(wanted)) throw new UsageError('--per-minute must be a whole number above 0');
  return Number(wanted);
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        rpc: { type: 'string' },
        service: { type: 'string' },
        prices: { type: 'boolean' },
        'log-blocks': { type: 'string' },
        'per-minute': { type: 'string' },
      },
      allowPositionals: true,
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split('. ')[0] ?? '') : String(error));
  }
}
