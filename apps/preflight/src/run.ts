import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hostOf, loadExchanges, networkOf, requestLimits } from '@maker/chain';
import type { Arguments } from './arguments.ts';
import { preflight, type Subject } from './preflight.ts';
import { fail, type Section } from './report.ts';
import type { Ask } from './request/answer.ts';
import { type RecordedAnswer, recorded } from './request/recording.ts';
import { redactor, shownUrl } from './request/redact.ts';
import { requestOverHttp } from './request/request-over-http.ts';

const WHOLE_LIMIT_PERCENT = 100;

/** The recording cannot be saved in its directory. */
export class RecordingError extends Error {
  constructor(directory: string, cause: unknown) {
    super(`--record ${directory}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'RecordingError';
  }
}

/** Content of a recording: enough to judge the same answers again, without access to an endpoint. */
export interface Recording {
  readonly subject: Omit<Subject, 'network' | 'limits'> & { readonly chainId: number };
  readonly answers: readonly RecordedAnswer[];
}

/**
 * Checks the endpoints and exchanges of the arguments.
 * @throws UnknownNetworkError, InvalidExchangesError, RequestLimitsError, RecordingError: wrong arguments
 */
export async function run(args: Arguments): Promise<readonly Section[]> {
  const urls = args.CHAIN_RPC_URLS;
  const { record } = args;
  if (record !== undefined) {
    await mkdir(record, { recursive: true }).catch((error) => Promise.reject(new RecordingError(record, error)));
  }
  const { ask, answers } = recorded(requestOverHttp(urls), redactor(urls));
  const chainId = args.CHAIN_ID ?? (await chainIdOf(ask, urls.length));
  const endpoints = urls.map(shownUrl);
  if (chainId === undefined) return [unreachableSection(endpoints)];
  const network = networkOf(chainId);
  const subject: Subject = {
    network,
    endpoints,
    hostCount: new Set(urls.map(hostOf)).size,
    limits: requestLimits(network, args, WHOLE_LIMIT_PERCENT),
    exchanges: loadExchanges(chainId, args.CHAIN_EXCHANGES_FILE),
    token: args.token,
  };
  const sections = await preflight(subject, ask);
  if (record !== undefined) await keep(record, subject, answers);
  return sections;
}

/** Chain id of the first endpoint that answers. */
async function chainIdOf(ask: Ask, endpoints: number): Promise<number | undefined> {
  for (let endpoint = 0; endpoint < endpoints; endpoint += 1) {
    const answer = await ask(endpoint, 'eth_chainId', []);
    if ('result' in answer) return Number(answer.result);
  }
  return undefined;
}

function unreachableSection(endpoints: readonly string[]): Section {
  return {
    title: 'endpoints',
    lines: endpoints.map((shown) => fail('chain id', 'no answer', `${shown} is unreachable`)),
  };
}

async function keep(
  directory: string,
  { network, exchanges, endpoints, hostCount, token }: Subject,
  answers: readonly RecordedAnswer[],
) {
  const recording: Recording = {
    subject: { chainId: network.chainId, endpoints, hostCount, exchanges, token },
    answers,
  };
  await writeFile(join(directory, 'preflight.json'), `${JSON.stringify(recording, null, 1)}\n`).catch((error) =>
    Promise.reject(new RecordingError(directory, error)),
  );
}
