import type { Exchange } from '@maker/chain/venues';
import { createPublicClient, http } from 'viem';
import { readFacts } from '../chain/read-facts.ts';
import type { SignedReceipt } from '../file/receipt-file.ts';
import type { PricesProgress } from '../prices/read-pools-of-job.ts';
import { openReceipt, unreadable, type Verdict, verifyReceipt } from '../verify/verify-receipt.ts';
import { judgePricesOf } from './judge-prices-of.ts';
import { pacedFetch } from './paced-fetch.ts';
import { readService } from './read-service.ts';

export interface CheckEndpoint {
  readonly url: URL;
  /** Absent: no limit. */
  readonly requestsPerMinute?: number | undefined;
}

/** Facts that the reader knows in addition to the file and the chain. */
export interface ReaderKnowledge {
  /** Site of the expected service. */
  readonly service?: URL | undefined;
  /** Whether to compare the orders with every pool of the pair, which reads all blocks since the first order. */
  readonly prices?: { readonly blocksPerRequest: number; readonly progress?: PricesProgress } | undefined;
  /** Exchanges of a chain without exchanges in this build. */
  readonly venues?: readonly Exchange[] | undefined;
}

/** The result of checking a file. */
export interface CheckedFile {
  readonly verdict: Verdict;
  /** Absent if the file is no receipt or a signature is wrong. */
  readonly receipt?: SignedReceipt;
}

/** The endpoint does not answer, so the receipt was not judged. */
export class EndpointSilentError extends Error {
  constructor({ host }: URL, cause: unknown) {
    const [reason] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
    super(`the endpoint ${host} does not answer as needed: ${reason}`, { cause });
    this.name = 'EndpointSilentError';
  }
}

const RETRIES = 6;
const RETRY_DELAY_MS = 500;

/** HyperEVM's public endpoints, which allow 100 requests a minute. Source: hyperevm § 1 */
const PUBLIC_HOSTS = ['rpc.hyperliquid.xyz', 'rpc.hyperliquid-testnet.xyz'];
const PUBLIC_REQUESTS_PER_MINUTE = 90;

/** Requests per minute to a known public endpoint, below its limit; undefined for other endpoints. */
export function knownPace({ hostname }: URL): number | undefined {
  return PUBLIC_HOSTS.includes(hostname) ? PUBLIC_REQUESTS_PER_MINUTE : undefined;
}

/**
 * Checks a file against an endpoint. The program and the page in a browser use it.
 * @param content parsed JSON @param progress called after each transaction, with the number read and the number of all
 * @throws EndpointSilentError @throws ServiceSilentError
 */
export async function checkReceipt(
  content: unknown,
  { url, requestsPerMinute }: CheckEndpoint,
  progress: (read: number, all: number) => void,
  { service, venues, prices }: ReaderKnowledge = {},
): Promise<CheckedFile> {
  const opened = await openReceipt(content);
  if ('broken' in opened) return { verdict: unreadable(opened.broken) };
  const named = service && (await readService(service));
  const client = createPublicClient({
    // No cache: each receipt is checked once.
    cacheTime: 0,
    transport: http(url.href, {
      fetchFn: pacedFetch(requestsPerMinute),
      retryCount: RETRIES,
      retryDelay: RETRY_DELAY_MS,
    }),
  });
  const { receipt } = opened.file;
  const read = async () => {
    const facts = await readFacts(client, receipt, progress, venues);
    return prices ? { ...facts, prices: await judgePricesOf(client, receipt, facts, prices) } : facts;
  };
  const facts = await read().catch((error: unknown) => {
    throw new EndpointSilentError(url, error);
  });
  return { verdict: verifyReceipt(opened.file, facts, named), receipt };
}
