import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import {
  type ChainClient,
  configuredAddress,
  createChainClient,
  networkOf,
  requestLimits,
  verifyChainId,
} from '@maker/chain';
import { operatorReasonSchema } from '@maker/contracts';
import { SeedKeyring } from '@maker/signing/private';
import { BaseError } from 'viem';
import { CommandError, readOptions, UsageError } from '../command-error.ts';
import { RecoveryError } from './recovery-error.ts';
import { RecoveryJournal } from './recovery-journal.ts';
import { readPlan } from './recovery-plan.ts';
import { journalText, planText } from './recovery-text.ts';
import { returnMoney } from './return-money.ts';
import { surveyWallets } from './survey-wallets.ts';

/** Usage text of a recovery. */
export const RECOVERY_USAGE = `usage: npm run ops -- recover <step>      when databases are lost (docs/runbooks/recovery-drill.md)
  survey --chain-id <id> --rpc <urls> --xpub <xpub> --out <plan>
       [--from-block <n>] [--treasury <address>] [--margin <indexes>] [--below <index>]
       [--series <n,n-m,…>]
                                                  finds every wallet and its money from the xpub and the chain
  return --chain-id <id> --rpc <urls> --plan <plan> --journal <file> --below <index> --reason <why>
       --seed-file <file> [--passphrase-file <file>] [--operator <name>] [--series-below <n>]
                                                  signs the plan and sends each asset of each wallet at most once`;

const DEFAULT_MARGIN = 1000;
const PATIENCE_MS = 120_000;
const ANSWER_MS = 20_000;
const PROGRESS_EVERY_BLOCKS = 1000;

const OPTIONS = [
  ...['chain-id', 'rpc', 'xpub', 'out', 'from-block', 'treasury', 'margin', 'below', 'series'],
  ...['plan', 'journal', 'reason', 'seed-file', 'passphrase-file', 'operator', 'series-below'],
] as const;

type Values = ReturnType<typeof readOptions<(typeof OPTIONS)[number]>>['values'];

/**
 * Runs one step of a recovery, which needs no running product.
 * @param report called with each line of progress @returns the output, in pieces
 * @throws UsageError @throws RecoveryError
 */
export function recoveryCommand(
  [step, ...args]: readonly string[],
  report: (line: string) => void,
): AsyncGenerator<string> {
  if (step !== 'survey' && step !== 'return') throw new UsageError(RECOVERY_USAGE);
  const { values } = readOptions(args, OPTIONS, RECOVERY_USAGE);
  return inOneLine(step === 'survey' ? survey(values, report) : sendBack(values));
}

/** Converts expected failures, such as an endpoint without answer, to errors of one line. */
async function* inOneLine(output: AsyncGenerator<string>): AsyncGenerator<string> {
  try {
    yield* output;
  } catch (error) {
    if (error instanceof CommandError || !(error instanceof Error)) throw error;
    if (error instanceof BaseError) throw new RecoveryError(error.shortMessage, { cause: error });
    throw 'code' in error ? new RecoveryError(error.message, { cause: error }) : error;
  }
}

async function* survey(values: Values, report: (line: string) => void): AsyncGenerator<string> {
  const out = required(values, 'out');
  const accountXpub = required(values, 'xpub');
  const treasury = configuredAddress.optional().safeParse(values.treasury);
  if (!treasury.success) throw new UsageError(`--treasury ${values.treasury}: ${treasury.error.issues[0]?.message}`);
  const query = {
    accountXpub,
    treasury: treasury.data,
    fromBlock: whole(values, 'from-block'),
    margin: whole(values, 'margin') ?? DEFAULT_MARGIN,
    below: whole(values, 'below'),
    series: readSeries(values.series),
  };
  const plan = await surveyWallets(await connect(values), query, (done) => {
    if (done % PROGRESS_EVERY_BLOCKS === 0) report(`${done} blocks read`);
  });
  await writeFile(out, `${JSON.stringify(plan, null, 2)}\n`, { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      throw new UsageError(`--out ${out} cannot be written (${error.code}); a plan is never written over another`);
    },
  );
  yield `${planText(plan)}\n`;
}

async function* sendBack(values: Values): AsyncGenerator<string> {
  const journalFile = required(values, 'journal');
  const below = whole(values, 'below');
  if (below === undefined) throw missing('below');
  const reason = operatorReasonSchema.safeParse(values.reason);
  if (!reason.success) throw new UsageError('--reason needs 3 to 500 characters: it is kept in the journal');
  // The user of a container is anonymous and may have no name.
  const operator = values.operator === undefined ? userInfo().username : values.operator.trim();
  if (operator === '') throw new UsageError('--operator needs a name: it is kept in the journal');
  const { plan, sha256 } = await readPlan(required(values, 'plan'));
  const client = await connect(values);
  const keyring = await SeedKeyring.fromFile(required(values, 'seed-file'), values['passphrase-file']);
  const opening = { plan: sha256, operator, reason: reason.data };
  const journal = await RecoveryJournal.open(journalFile, opening);
  const options = { client, keyring, journal, below, seriesBelow: whole(values, 'series-below') ?? 0 };
  for await (const entry of returnMoney(plan, { ...options, patienceMs: PATIENCE_MS })) {
    yield `${journalText(entry)}\n`;
  }
}

/** Numbers of series and ranges of them, such as '28512003,28598400-28598460'. */
function* readSeries(text = ''): Generator<number> {
  for (const part of text.split(',').filter(Boolean)) {
    const [, first, last] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    if (first === undefined || Number(first) < 1)
      throw new UsageError(`--series ${part} is no number or range of series`);
    for (let series = Number(first); series <= Number(last ?? first); series += 1) yield series;
  }
}

async function connect(values: Values): Promise<ChainClient> {
  const chainId = whole(values, 'chain-id');
  if (chainId === undefined) throw missing('chain-id');
  const rpcUrls = required(values, 'rpc').split(',');
  if (!rpcUrls.every((url) => /^https?:$/.test(URL.parse(url)?.protocol ?? ''))) {
    throw new UsageError('--rpc is a comma list of addresses that begin with https://');
  }
  const network = networkOf(chainId);
  // Waits for the limit of a public endpoint, however long the blocks take.
  const limits = requestLimits(network, { CHAIN_RPC_URLS: rpcUrls, CHAIN_RPC_REQUESTS_PER_MINUTE: [] }, 100);
  const mostWaitMs = () => PATIENCE_MS;
  const client = createChainClient({ network, rpcUrls, limits, mostWaitMs, timeoutMs: ANSWER_MS, retryCount: 3 });
  await verifyChainId(client, chainId);
  return client;
}

function required(values: Values, name: (typeof OPTIONS)[number]): string {
  const value = values[name];
  if (!value) throw missing(name);
  return value;
}

function missing(name: string): UsageError {
  return new UsageError(`--${name} is missing; ${RECOVERY_USAGE}`);
}

function whole(values: Values, name: (typeof OPTIONS)[number]): number | undefined {
  const value = values[name];
  if (value === undefined) return undefined;
  if (!/^\d{1,15}$/.test(value)) throw new UsageError(`--${name} ${value} is not a whole number`);
  return Number(value);
}
