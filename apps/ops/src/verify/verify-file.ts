import { readFile } from 'node:fs/promises';
import {
  BLOCKS_PER_REQUEST,
  checkReceipt,
  EndpointSilentError,
  knownPace,
  readServiceUrl,
  ServiceSilentError,
} from '@maker/receipt';
import { CommandError, UsageError } from '../command-error.ts';
import type { Printed } from '../output.ts';
import { verdictText } from './verdict-text.ts';

/** Options of `verify`. */
export interface VerifyOptions {
  /** Any endpoint of the receipt's chain. */
  readonly rpc: string;
  /** Site of the service that the reader expects. */
  readonly service?: string;
  /** Compares each order with every pool of the pair. */
  readonly prices?: boolean;
  /** Blocks for each request of events; needs `prices`. */
  readonly logBlocks?: string;
  /** Limit of requests in a minute. */
  readonly perMinute?: string;
}

const PROGRESS_EVERY = 100;

/** The file, the endpoint or the service's site cannot be read, so the receipt was not judged. */
export class NotCheckedError extends CommandError {
  readonly code = 'NOT_CHECKED';
  override readonly exitStatus = 2;
}

/**
 * Checks the receipt in a file. It queries only the given endpoint and site. @param report called with each line of progress
 * @throws UsageError @throws NotCheckedError
 */
export async function verifyFile(
  path: string,
  options: VerifyOptions,
  report: (line: string) => void,
): Promise<Printed> {
  const { endpoint, service, blocksPerRequest } = readOptions(options);
  const content = parsed(await contentOf(path));
  const progress = (what: string) => (read: number, all: number) => {
    if (read % PROGRESS_EVERY === 0) report(`… ${read} of ${all} ${what} read`);
  };
  const prices =
    blocksPerRequest === undefined ? undefined : { blocksPerRequest, progress: progress('price requests') };
  const { verdict, receipt } = await checkReceipt(content, endpoint, progress('transactions'), {
    service,
    prices,
  }).catch((error: unknown) => {
    const isSilent = error instanceof EndpointSilentError || error instanceof ServiceSilentError;
    throw isSilent ? new NotCheckedError(error.message, { cause: error }) : error;
  });
  return { text: verdictText(verdict, receipt), json: verdict, isFailure: verdict.broken !== undefined };
}

/** Parses the options. @throws UsageError */
export function readOptions({ rpc, service: typed, prices, logBlocks, perMinute }: VerifyOptions) {
  const url = URL.canParse(rpc) ? new URL(rpc) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError('--rpc must be an http or https URL');
  const service = typed === undefined ? undefined : readServiceUrl(typed);
  if (typed !== undefined && !service) throw new UsageError('--service must be an https URL');
  if (!prices && logBlocks !== undefined) throw new UsageError('--log-blocks needs --prices');
  const blocksPerRequest = prices ? (countOf('--log-blocks', logBlocks) ?? BLOCKS_PER_REQUEST) : undefined;
  const endpoint = { url, requestsPerMinute: countOf('--per-minute', perMinute) ?? knownPace(url) };
  return { endpoint, service, blocksPerRequest };
}

function countOf(option: string, typed: string | undefined): number | undefined {
  if (typed !== undefined && !/^[1-9]\d{0,5}$/.test(typed))
    throw new UsageError(`${option} must be a whole number above 0`);
  return typed === undefined ? undefined : Number(typed);
}

async function contentOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((error: unknown) => {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new NotCheckedError(`${path} cannot be read: ${reason}`, { cause: error });
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
