import { readFile } from 'node:fs/promises';
import { openReceipt, readFacts, verifyReceipt } from '@maker/receipt';
import { createPublicClient, http } from 'viem';
import type { Options } from './options.ts';
import { pacedFetch } from './paced-fetch.ts';
import { verdictText } from './verdict-text.ts';

/** How the program ends. */
export interface Outcome {
  readonly code: 0 | 1;
  /** For the terminal. */
  readonly text: string;
}

/** The file or the endpoint cannot be read: nothing is known of the receipt. */
export class NotCheckedError extends Error {
  constructor(problem: string, cause: unknown) {
    super(`${problem}: ${cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause)}`, { cause });
    this.name = 'NotCheckedError';
  }
}

const RETRIES = 6;
const RETRY_DELAY_MS = 500;

/**
 * Checks the receipt of a file. @param progress told of each transaction that was read
 * @throws NotCheckedError
 */
export async function verifyFile(
  { path, rpcUrl, requestsPerMinute }: Options,
  progress: (read: number, all: number) => void,
): Promise<Outcome> {
  const opened = await openReceipt(parsed(await contentOf(path)));
  if ('broken' in opened) return { code: 1, text: verdictText({ ...opened, proven: [], unknown: [] }) };
  const client = createPublicClient({
    // Neither caches nor joins what is asked: a receipt is checked once.
    cacheTime: 0,
    transport: http(rpcUrl.href, {
      fetchFn: pacedFetch(requestsPerMinute),
      retryCount: RETRIES,
      retryDelay: RETRY_DELAY_MS,
    }),
  });
  const facts = await readFacts(client, opened.file.receipt, progress).catch((error: unknown) => {
    throw new NotCheckedError(`the endpoint ${rpcUrl.host} does not answer as needed`, error);
  });
  const verdict = verifyReceipt(opened.file, facts);
  return { code: verdict.broken ? 1 : 0, text: verdictText(verdict, opened.file.receipt) };
}

async function contentOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    throw new NotCheckedError(`${path} cannot be read`, error);
  });
}

/** What is no JSON is no receipt either, and is told like that. */
function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
