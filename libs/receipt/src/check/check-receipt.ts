import type { Exchange } from '@maker/chain/venues';
import { type Address, createPublicClient, http, isAddress } from 'viem';
import { readFacts } from '../chain/read-facts.ts';
import type { SignedReceipt } from '../file/receipt-file.ts';
import { openReceipt, unreadable, type Verdict, verifyReceipt } from '../verify/verify-receipt.ts';
import { pacedFetch } from './paced-fetch.ts';

export interface CheckEndpoint {
  readonly url: URL;
  /** Absent: as many as it answers. */
  readonly requestsPerMinute?: number | undefined;
}

/** What the reader knows besides the file and the chain. */
export interface ReaderKnowledge {
  /** Identity of the service that the receipt should be of, in lower case. */
  readonly service?: Address | undefined;
  /** Exchanges of a chain of which this build knows none. */
  readonly venues?: readonly Exchange[] | undefined;
}

/** Reads the identity of a service as somebody typed it. @returns undefined for what is no address */
export function readServiceIdentity(typed: string): Address | undefined {
  const address = typed.trim().toLowerCase();
  return isAddress(address) ? address : undefined;
}

/** What was found of a file. */
export interface CheckedFile {
  readonly verdict: Verdict;
  /** Absent where the file is no receipt, or not signed by its wallet. */
  readonly receipt?: SignedReceipt;
}

/** The endpoint does not answer: nothing is known of the receipt. */
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

/** How many requests a minute an endpoint is known to allow; undefined where nothing is known. */
export function knownPace({ hostname }: URL): number | undefined {
  return PUBLIC_HOSTS.includes(hostname) ? PUBLIC_REQUESTS_PER_MINUTE : undefined;
}

/**
 * Checks what a file says with nothing but the file and an endpoint: for the program, and for the page in a browser.
 * @param content parsed JSON @param progress told of each transaction that was read
 * @throws EndpointSilentError
 */
export async function checkReceipt(
  content: unknown,
  { url, requestsPerMinute }: CheckEndpoint,
  progress: (read: number, all: number) => void,
  { service, venues }: ReaderKnowledge = {},
): Promise<CheckedFile> {
  const opened = await openReceipt(content);
  if ('broken' in opened) return { verdict: unreadable(opened.broken) };
  const client = createPublicClient({
    // Neither caches nor joins what is asked: a receipt is checked once.
    cacheTime: 0,
    transport: http(url.href, {
      fetchFn: pacedFetch(requestsPerMinute),
      retryCount: RETRIES,
      retryDelay: RETRY_DELAY_MS,
    }),
  });
  const { receipt } = opened.file;
  const facts = await readFacts(client, receipt, progress, venues).catch((error: unknown) => {
    throw new EndpointSilentError(url, error);
  });
  return { verdict: verifyReceipt(opened.file, facts, service), receipt };
}
