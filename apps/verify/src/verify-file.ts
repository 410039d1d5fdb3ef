import { readFile } from 'node:fs/promises';
import { checkReceipt, EndpointSilentError } from '@maker/receipt';
import type { Options } from './options.ts';
import { verdictText } from './verdict-text.ts';

/** Exit code and output of the program. */
export interface Outcome {
  readonly code: 0 | 1;
  readonly text: string;
}

/** The file or the endpoint cannot be read, so the receipt was not judged. */
export class NotCheckedError extends Error {
  constructor(problem: string, cause: unknown) {
    super(problem, { cause });
    this.name = 'NotCheckedError';
  }
}

/**
 * Checks the receipt in a file. @param progress called after each transaction or request of prices, with the number read and the number of all
 * @throws NotCheckedError
 */
export async function verifyFile(
  { path, rpcUrl, service, blocksPerRequest, requestsPerMinute }: Options,
  progress: (read: number, all: number, what: 'transactions' | 'price requests') => void,
): Promise<Outcome> {
  const content = parsed(await contentOf(path));
  const endpoint = { url: rpcUrl, requestsPerMinute };
  const prices =
    blocksPerRequest === undefined
      ? undefined
      : { blocksPerRequest, progress: (read: number, all: number) => progress(read, all, 'price requests') };
  const { verdict, receipt } = await checkReceipt(
    content,
    endpoint,
    (read, all) => progress(read, all, 'transactions'),
    { service, prices },
  ).catch((error: unknown) => {
    throw error instanceof EndpointSilentError ? new NotCheckedError(error.message, error) : error;
  });
  return { code: verdict.broken ? 1 : 0, text: verdictText(verdict, receipt) };
}

async function contentOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new NotCheckedError(`${path} cannot be read: ${reason}`, error);
  });
}

/** Parses JSON. @returns undefined for invalid JSON, which the verifier rejects like any other file that is no receipt */
function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
