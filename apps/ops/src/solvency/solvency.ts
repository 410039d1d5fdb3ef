import { setTimeout as wait } from 'node:timers/promises';
import type { OperatorJob } from '@maker/contracts';
import {
  isCurrent,
  missingTokens,
  openReceipt,
  readFacts,
  type SignedReceipt,
  undelivered,
  unreadable,
  type Verdict,
  verifyReceipt,
} from '@maker/receipt';
import { formatHype } from '@maker/rules';
import { createPublicClient, http } from 'viem';
import { CommandError, UsageError } from '../command-error.ts';
import { type OperatorApi, OperatorApiError } from '../commands/operator-api.ts';
import type { Printed } from '../output.ts';

/** A wallet does not hold the owed money, or its receipt could not be proven. */
export class InsolventError extends CommandError {
  readonly code = 'NOT_SOLVENT';

  constructor(jobs: number) {
    super(`${jobs} of the open jobs could not be proven`);
  }
}

/** Most requests for one receipt, a block apart: it may lack orders that were just mined. */
const ATTEMPTS = 15;
const BLOCK_MS = 1000;

const RETRIES = 6;

const PAGE = 500;

/**
 * Checks the receipt of each open job against the chain by the verifier's rules, and sums up the owed money.
 * @returns the output, line by line
 * @throws InsolventError after the last line if a job could not be proven @throws UsageError @throws OperatorApiError
 */
export async function* solvency(api: OperatorApi, rpcUrl: string | undefined): AsyncGenerator<Printed> {
  if (!rpcUrl || !URL.canParse(rpcUrl)) throw new UsageError('--rpc or OPS_RPC_URL must name an endpoint');
  const client = createPublicClient({ cacheTime: 0, transport: http(rpcUrl, { retryCount: RETRIES }) });
  let count = 0;
  let owedWei = 0n;
  let unproven = 0;
  for await (const jobId of openJobs(api)) {
    count += 1;
    const judged = await provenBy(api, client, jobId);
    const { receipt, verdict, isCompared, missing } = judged;
    const isProven = receipt !== undefined && !verdict?.broken && isCompared === true && !missing;
    if (isProven) owedWei += BigInt(receipt.sums.leftWei);
    else unproven += 1;
    yield { text: lineOf(jobId, judged), json: { jobId, isProven, sums: receipt?.sums, problem: verdict?.broken } };
  }
  yield {
    text: `${count} open jobs; ${formatHype(owedWei)} HYPE are owed and held`,
    json: { jobs: count, owedWei: `${owedWei}`, unproven },
  };
  if (unproven > 0) throw new InsolventError(unproven);
}

/** Ids of all open jobs, newest first, each once. @throws OperatorApiError */
async function* openJobs(api: OperatorApi): AsyncGenerator<string> {
  const seen = new Set<string>();
  let before: string | undefined;
  for (;;) {
    const query = { status: 'active', limit: `${PAGE}`, before };
    const { jobs } = await api.get<{ jobs: OperatorJob[] }>('/jobs', query);
    const fresh = jobs.filter(({ jobId }) => !seen.has(jobId));
    for (const { jobId } of fresh) {
      seen.add(jobId);
      yield jobId;
    }
    const last = jobs.at(-1);
    if (!last || fresh.length === 0 || jobs.length < PAGE) return;
    // Jobs of the page's last millisecond may be on this page or the next.
    before = new Date(Date.parse(last.createdAt) + 1).toISOString();
  }
}

interface Judged {
  readonly receipt?: SignedReceipt;
  readonly verdict?: Verdict;
  /** Whether the wallet has sent nothing since the receipt, so that its balance can be compared. */
  readonly isCompared?: boolean;
  /** Owed tokens that the wallet does not hold. */
  readonly missing?: bigint;
}

async function provenBy(api: OperatorApi, client: Parameters<typeof readFacts>[0], jobId: string): Promise<Judged> {
  for (let attempt = 1; ; attempt += 1) {
    const content = await receiptOf(api, jobId);
    if (content === undefined) return {};
    const opened = await openReceipt(content);
    if ('broken' in opened) return { verdict: unreadable(opened.broken) };
    const { receipt } = opened.file;
    const facts = await readFacts(client, receipt);
    const verdict = verifyReceipt(opened.file, facts);
    const isCompared = isCurrent(receipt, facts);
    if (verdict.broken || isCompared || attempt === ATTEMPTS)
      return { receipt, verdict, isCompared, missing: missingTokens(receipt.sums, facts.wallet.tokens) };
    await wait(BLOCK_MS);
  }
}

/** @returns undefined if no receipt can be made yet */
async function receiptOf(api: OperatorApi, jobId: string): Promise<unknown> {
  try {
    return await api.receipt(jobId);
  } catch (error) {
    if (error instanceof OperatorApiError && error.status === 409) return undefined;
    throw error;
  }
}

function lineOf(jobId: string, { receipt, verdict, isCompared, missing }: Judged): string {
  if (verdict?.broken) return `✗ ${jobId} ${verdict.broken.problem}`;
  if (!receipt) return `✗ ${jobId} has no receipt yet: its owed money is not known`;
  if (!isCompared)
    return `✗ ${jobId} sent orders during the check: its balance could not be compared; run the command again`;
  const { sums, token } = receipt;
  const name = token.address;
  if (missing) return `✗ ${jobId} ${receipt.wallet} is owed ${missing} units of ${name} that the token took or kept`;
  return `✓ ${jobId} ${receipt.wallet} holds ${formatHype(BigInt(sums.leftWei))} HYPE and ${undelivered(sums)} units of ${name} that are owed`;
}
