import {
  addressSchema,
  type OperatorActionEntry,
  type OperatorCommandResponse,
  type OperatorJob,
  type OperatorJobResponse,
  type ReconciliationResponse,
} from '@maker/contracts';
import { isFinal, parseHype, parseRecipient } from '@maker/rules';
import { readAddress } from '../address-option.ts';
import { UsageError } from '../command-error.ts';
import type { Printed } from '../output.ts';
import { type CommandContent, signedCommand, unsignedCommand, withSignatures } from './command-signer.ts';
import type { OperatorApi } from './operator-api.ts';
import { actionText, jobDetailText, jobText, outcomeOf, reasonOf, reconciliationText } from './operator-text.ts';

/** What a command needs: the environment has the chain and, for signing on this machine, the operator and the key file. */
export interface OperatorTools {
  readonly api: OperatorApi;
  readonly environment: NodeJS.ProcessEnv;
}

/** Option of queries: the API records the reason. */
export interface WithReason {
  readonly reason?: string;
}

/** Options of commands that need an operator's signature. */
export interface SignedOptions {
  readonly reason: string;
  /** Prints the command for operators who sign on another machine. */
  readonly unsigned?: boolean;
}

/** Options of commands that send held money. */
export interface HeldOptions extends SignedOptions {
  readonly gasFrom?: string;
  readonly tokens?: string;
}

/** Validity of a command signed here, and of one signed on another machine. */
const VALID_MS = 600_000;
const UNSIGNED_VALID_MS = 86_400_000;

/** Prints jobs, newest first. @throws OperatorApiError */
export async function* listJobs(
  api: OperatorApi,
  { status, limit, reason }: WithReason & { readonly status?: string; readonly limit?: string },
): AsyncGenerator<Printed> {
  const { jobs } = await api.get<{ jobs: OperatorJob[] }>('/jobs', { status, limit, ...whyOf(reason) });
  for (const job of jobs) yield { text: jobText(job), json: job };
}

/** Prints a job with its returns and its timeline. @throws OperatorApiError */
export async function* showJob(api: OperatorApi, job: string, { reason }: WithReason): AsyncGenerator<Printed> {
  const json = await api.get<OperatorJobResponse>(`/jobs/${segment(job)}`, whyOf(reason));
  yield { text: jobDetailText(json), json };
}

/** Compares a job's ledger with the chain. @throws OperatorApiError */
export async function* reconcileJob(api: OperatorApi, job: string, { reason }: WithReason): AsyncGenerator<Printed> {
  const json = await api.get<ReconciliationResponse>(`/jobs/${segment(job)}/reconciliation`, whyOf(reason));
  yield { text: reconciliationText(json), json };
}

/** Prints CSV of all jobs, or of one job's ledger, in pieces. @throws OperatorApiError */
export async function* exportJobs(
  api: OperatorApi,
  job: string | undefined,
  { reason }: { readonly reason: string },
): AsyncGenerator<Printed> {
  const path = job === undefined ? '/jobs.csv' : `/jobs/${segment(job)}/ledger.csv`;
  for await (const csv of api.text(path, { reason: reasonOf(reason) })) {
    yield { text: csv, json: { csv }, isExact: true };
  }
}

/** Prints the audit log, newest first. @throws OperatorApiError */
export async function* logActions(api: OperatorApi, { limit }: { readonly limit?: string }): AsyncGenerator<Printed> {
  const { actions } = await api.get<{ actions: OperatorActionEntry[] }>('/actions', { limit });
  for (const action of actions) yield { text: actionText(action), json: action };
}

/** Lets the API act on a job, or pause all jobs. @throws UsageError @throws OperatorApiError */
export async function* actOnJob(
  api: OperatorApi,
  action: 'pause' | 'rebroadcast' | 'hypercore/check',
  job: string,
  { reason }: { readonly reason: string },
): AsyncGenerator<Printed> {
  const path = job === 'all' && action === 'pause' ? `/${action}` : `/jobs/${segment(job)}/${action}`;
  yield outcomeOf(await api.post<OperatorCommandResponse>(path, { reason: reasonOf(reason) }));
}

/** Ends a job and returns the unspent money. @throws UsageError @throws OperatorApiError */
export async function* cancelJob(tools: OperatorTools, jobId: string, options: SignedOptions) {
  yield* give(tools, options, { action: 'cancel', jobId, reason: reasonOf(options.reason) });
}

/** Ends an operator's pause of a job, or of all jobs. @throws UsageError @throws OperatorApiError */
export async function* resumeJob(tools: OperatorTools, jobId: string, options: SignedOptions) {
  const reason = reasonOf(options.reason);
  yield* give(tools, options, jobId === 'all' ? { action: 'resume_all', reason } : { action: 'resume', jobId, reason });
}

/** Sends held money to the address on record. @throws UsageError @throws OperatorApiError */
export async function* returnHeld(tools: OperatorTools, jobId: string, options: HeldOptions) {
  yield* give(tools, options, { action: 'return', jobId, ...(await heldOf(tools.api, jobId, options)) });
}

/** Sends held money to an address. @throws UsageError @throws OperatorApiError */
export async function* releaseHeld(tools: OperatorTools, jobId: string, to: string, options: HeldOptions) {
  const held = await heldOf(tools.api, jobId, options);
  yield* give(tools, options, { action: 'release', jobId, to: readAddress('address', to, parseRecipient), ...held });
}

/**
 * Sends the found HYPE on HyperCore to the address on record or to another one. The command names wallet and amount, so that the
 * executor can check both. @throws UsageError @throws OperatorApiError
 */
export async function* returnHyperCore(
  tools: OperatorTools,
  jobId: string,
  to: string | undefined,
  options: SignedOptions & { readonly amount: string },
) {
  const reason = reasonOf(options.reason);
  const amountWei = amountOf(options.amount);
  const { job } = await tools.api.get<OperatorJobResponse>(`/jobs/${segment(jobId)}`, { reason });
  const recipient = to ?? job.returnAddress;
  if (!recipient) throw new UsageError('no return address is on record: name one');
  yield* give(tools, options, {
    action: 'return_hypercore',
    jobId,
    walletAddress: addressSchema.parse(job.paymentAddress),
    walletIndex: job.walletIndex,
    amountWei,
    to: readAddress('address', recipient, parseRecipient),
    reason,
  });
}

/** Gives a command that operators signed on other machines. @throws UsageError @throws OperatorApiError */
export async function* giveSigned(api: OperatorApi, unsigned: string, signatures: string): AsyncGenerator<Printed> {
  const command = withSignatures(unsigned, signatures);
  yield outcomeOf(await api.post<OperatorCommandResponse>('/commands', command));
}

/** Signs and sends a command, or prints it for operators who sign on another machine. */
async function* give(
  { api, environment }: OperatorTools,
  { unsigned }: SignedOptions,
  content: CommandContent,
): AsyncGenerator<Printed> {
  if (unsigned) {
    const text = unsignedCommand(content, UNSIGNED_VALID_MS, environment);
    return yield { text, json: { unsigned: text }, isExact: true };
  }
  const signed = await signedCommand(content, VALID_MS, environment);
  yield outcomeOf(await api.post<OperatorCommandResponse>('/commands', signed));
}

/** Fields of a command for held money. The executor refuses the command if the held amount has changed since. */
async function heldOf(api: OperatorApi, job: string, options: HeldOptions) {
  const reason = reasonOf(options.reason);
  const path = `/jobs/${segment(job)}/reconciliation`;
  const { heldWei: amountWei } = await api.get<ReconciliationResponse>(path, { reason });
  const gasFrom =
    options.gasFrom === undefined ? {} : { gasFrom: readAddress('--gas-from', options.gasFrom, parseRecipient) };
  return { amountWei, reason, ...gasFrom, ...(await tokensOf(api, job, options)) };
}

/** Wrongly sent tokens and the wallet, only for an ended job: the executor would not start a job after a release. */
async function tokensOf(api: OperatorApi, jobId: string, { tokens, reason }: HeldOptions) {
  if (tokens === undefined) return {};
  const { job } = await api.get<OperatorJobResponse>(`/jobs/${segment(jobId)}`, { reason });
  if (!isFinal(job.status)) throw new UsageError('the job has not ended: release its tokens after its end');
  return {
    tokens: tokens.split(',').map((token) => readAddress('--tokens', token)),
    wallet: {
      address: addressSchema.parse(job.paymentAddress),
      index: job.walletIndex,
      tokenAddress: addressSchema.parse(job.tokenAddress),
    },
  };
}

function amountOf(amount: string): string {
  try {
    return parseHype(amount).toString();
  } catch {
    throw new UsageError('an --amount of HYPE is needed: the amount that hypercore check found');
  }
}

function whyOf(reason: string | undefined): Record<string, string> {
  return reason === undefined ? {} : { reason: reasonOf(reason) };
}

/** Encodes a typed job id, so that it cannot reach another path. */
function segment(job: string): string {
  return encodeURIComponent(job);
}
