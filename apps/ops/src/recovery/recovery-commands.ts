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
import { UsageError } from '../command-error.ts';
import type { Printed } from '../output.ts';
import { RecoveryJournal } from './recovery-journal.ts';
import { readPlan } from './recovery-plan.ts';
import { journalText, planText } from './recovery-text.ts';
import { returnMoney } from './return-money.ts';
import { surveyWallets } from './survey-wallets.ts';

const DEFAULT_MARGIN = 1000;
const PATIENCE_MS = 120_000;
const ANSWER_MS = 20_000;
const PROGRESS_EVERY_BLOCKS = 1000;

/** The chain of a recovery. */
export interface ChainOptions {
  readonly chainId: string;
  /** Endpoints, separated by commas. */
  readonly rpc: string;
}

/** Options of `recover survey`. */
export interface SurveyOptions extends ChainOptions {
  readonly xpub: string;
  /** File for the plan. */
  readonly out: string;
  readonly fromBlock?: string;
  readonly treasury?: string;
  readonly margin?: string;
  readonly below?: string;
  readonly series?: string;
}

/** Options of `recover return`. */
export interface ReturnOptions extends ChainOptions {
  readonly plan: string;
  readonly journal: string;
  readonly below: string;
  readonly reason: string;
  readonly seedFile: string;
  readonly passphraseFile?: string;
  readonly operator?: string;
  readonly seriesBelow?: string;
}

/**
 * Finds every wallet and its money from the xpub and the chain, and writes the plan.
 * @param report called with each line of progress @throws UsageError
 */
export async function* survey(options: SurveyOptions, report: (line: string) => void): AsyncGenerator<Printed> {
  const { out } = options;
  const treasury = configuredAddress.optional().safeParse(options.treasury);
  if (!treasury.success) throw new UsageError(`--treasury ${options.treasury}: ${treasury.error.issues[0]?.message}`);
  const query = {
    accountXpub: options.xpub,
    treasury: treasury.data,
    fromBlock: whole('from-block', options.fromBlock),
    margin: whole('margin', options.margin) ?? DEFAULT_MARGIN,
    below: whole('below', options.below),
    series: readSeries(options.series),
  };
  const plan = await surveyWallets(await connect(options), query, (done) => {
    if (done % PROGRESS_EVERY_BLOCKS === 0) report(`${done} blocks read`);
  });
  await writeFile(out, `${JSON.stringify(plan, null, 2)}\n`, { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      throw new UsageError(`--out ${out} cannot be written (${error.code}); a plan is never written over another`);
    },
  );
  yield { text: planText(plan), json: plan };
}

/** Signs the plan and sends each asset of each wallet at most once. @throws UsageError @throws RecoveryError */
export async function* sendBack(options: ReturnOptions): AsyncGenerator<Printed> {
  const below = whole('below', options.below);
  const reason = operatorReasonSchema.safeParse(options.reason);
  if (!reason.success) throw new UsageError('--reason needs 3 to 500 characters: it is kept in the journal');
  // The user of a container is anonymous and may have no name.
  const operator = options.operator === undefined ? userInfo().username : options.operator.trim();
  if (operator === '') throw new UsageError('--operator needs a name: it is kept in the journal');
  const { plan, sha256 } = await readPlan(options.plan);
  const client = await connect(options);
  const keyring = await SeedKeyring.fromFile(options.seedFile, options.passphraseFile);
  const journal = await RecoveryJournal.open(options.journal, { plan: sha256, operator, reason: reason.data });
  const bounds = { below, seriesBelow: whole('series-below', options.seriesBelow) ?? 0 };
  for await (const entry of returnMoney(plan, { client, keyring, journal, ...bounds, patienceMs: PATIENCE_MS })) {
    yield { text: journalText(entry), json: entry };
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

async function connect(options: ChainOptions): Promise<ChainClient> {
  const chainId = whole('chain-id', options.chainId);
  const rpcUrls = options.rpc.split(',');
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

function whole<Value extends string | undefined>(name: string, value: Value): Value extends string ? number : undefined;
function whole(name: string, value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,15}$/.test(value)) throw new UsageError(`--${name} ${value} is not a whole number`);
  return Number(value);
}
