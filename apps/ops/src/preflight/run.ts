import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hostOf, loadExchanges, networkOf, requestLimits } from '@maker/chain';
import { UsageError } from '../command-error.ts';
import type { Printed } from '../output.ts';
import { type Arguments, type PreflightOptions, readArguments } from './arguments.ts';
import { preflight, type Subject } from './preflight.ts';
import { fail, reportText, type Section, works } from './report.ts';
import type { Ask } from './request/answer.ts';
import { type RecordedAnswer, recorded } from './request/recording.ts';
import { redactor, shownUrl } from './request/redact.ts';
import { requestOverHttp } from './request/request-over-http.ts';

const WHOLE_LIMIT_PERCENT = 100;

/** Content of a recording: enough to judge the same answers again, without access to an endpoint. */
export interface Recording {
  readonly subject: Omit<Subject, 'network' | 'limits'> & { readonly chainId: number };
  readonly answers: readonly RecordedAnswer[];
}

/**
 * Checks the endpoints and exchanges of the options or the environment, and sends no transaction.
 * @throws UsageError
 */
export async function runPreflight(options: PreflightOptions, environment: NodeJS.ProcessEnv): Promise<Printed> {
  const sections = await examine(options, environment);
  return { text: reportText(sections), json: sections, isFailure: !works(sections) };
}

async function examine(options: PreflightOptions, environment: NodeJS.ProcessEnv): Promise<readonly Section[]> {
  const args = readArguments(options, environment);
  const urls = args.CHAIN_RPC_URLS;
  const { record } = args;
  if (record !== undefined) await mkdir(record, { recursive: true }).catch(refuseDirectory(record));
  const { ask, answers } = recorded(requestOverHttp(urls), redactor(urls));
  const chainId = args.CHAIN_ID ?? (await chainIdOf(ask, urls.length));
  const endpoints = urls.map(shownUrl);
  if (chainId === undefined) return [unreachableSection(endpoints)];
  const subject: Subject = {
    ...configured(chainId, args),
    endpoints,
    hostCount: new Set(urls.map(hostOf)).size,
    token: args.token,
  };
  const sections = await preflight(subject, ask);
  if (record !== undefined) await keep(record, subject, answers);
  return sections;
}

/** Network, limits and exchanges of the arguments. @throws UsageError that names a wrong one */
function configured(chainId: number, args: Arguments): Pick<Subject, 'network' | 'limits' | 'exchanges'> {
  try {
    const network = networkOf(chainId);
    const limits = requestLimits(network, args, WHOLE_LIMIT_PERCENT);
    return { network, limits, exchanges: loadExchanges(chainId, args.CHAIN_EXCHANGES_FILE) };
  } catch (error) {
    throw error instanceof Error ? new UsageError(error.message, { cause: error }) : error;
  }
}

const refuseDirectory =
  (directory: string) =>
  (error: unknown): never => {
    throw new UsageError(`--record ${directory}: ${error instanceof Error ? error.message : String(error)}`);
  };

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
  await writeFile(join(directory, 'preflight.json'), `${JSON.stringify(recording, null, 1)}\n`).catch(
    refuseDirectory(directory),
  );
}
