import type { JobPlan, JobStatusResponse, ReconciliationResponse, ValidateTokenResponse } from '@maker/contracts';
import { parseHype } from '@maker/rules';
import type { Address } from 'viem';
import type { Answer } from '../support/product-client.ts';
import { until } from '../support/until.ts';
import type { Actor } from './actor.ts';
import { type Arena, PAID } from './arena.ts';
import { type Costs, costsOf } from './costs.ts';
import type { HostilePayer } from './hostile-payers.ts';
import type { HostileRecipient } from './hostile-recipients.ts';
import type { HostileToken } from './hostile-tokens.ts';
import { type HostileTrader, TradeRefused } from './hostile-traders.ts';
import type { Market, PoolShape } from './markets.ts';

/** The attackers of one job. */
export interface HostileCase {
  readonly shape: PoolShape;
  readonly token?: HostileToken;
  readonly recipient?: HostileRecipient;
  readonly payer?: HostilePayer;
  readonly trader?: HostileTrader;
}

/** Result of a case. */
export interface Outcome {
  readonly market: Market;
  /** The return address in the request. */
  readonly recipient: Address;
  /** Undefined if the product refused the token or the request before a payment. */
  readonly job: JobStatusResponse | undefined;
  /** The plan that the product showed before the payment. */
  readonly shown?: JobPlan;
  /** Why the product refused. */
  readonly refusal?: string;
  /** Time from creation to end by the chain's clock, s. */
  readonly seconds: number;
  readonly costs: Costs;
}

/** Time limit of a case, ms. */
const CASE_MS = 400_000;

/** Time limit of a case's test, ms: longer, so that a failed wait still reports. */
export const CASE_TEST_MS = CASE_MS + 60_000;

/** Options of a wait. */
type Wait = NonNullable<Parameters<typeof until>[3]>;

/** Waits until the case's time limit. */
function patience(): (everyMs: number) => Wait {
  const end = Date.now() + CASE_MS;
  return (everyMs) => ({ timeoutMs: end - Date.now(), everyMs });
}

/** Names of the attackers. */
export function caseName({ token, recipient, payer, trader }: Omit<HostileCase, 'shape'>): string {
  const who = [
    token && `a token that ${token.does}${token.moment === 'while trading' ? '' : `, ${token.moment}`}`,
    recipient && `a recipient that ${recipient.does}`,
    payer?.does,
    trader && `a trader that ${trader.does}`,
  ].filter((part) => part !== undefined);
  return who.length === 0 ? 'no attacker' : who.join('; ');
}

/** Attacks a job, and waits for its end. */
export async function runCase(arena: Arena, hostile: HostileCase): Promise<Outcome> {
  const { token, recipient: hostileRecipient, payer, trader } = hostile;
  const { product } = arena;
  const patient = patience();
  const market = arena.market(hostile.shape);
  const become = async (moment: HostileToken['moment']) => {
    if (token?.moment === moment) await arena.become(market.token, token.becomes);
  };
  await become('before');
  const recipient = (await hostileRecipient?.prepare(arena, market)) ?? arena.newAddress();
  const startMs = await arena.chainNowMs();
  const deployedGas = await deploymentGas(arena, hostile);
  const isByPayer = token !== undefined || hostileRecipient !== undefined;
  const refused = async (refusal: string): Promise<Outcome> => {
    const costs = await costsOf(arena, undefined, [], deployedGas, isByPayer);
    return { market, recipient, job: undefined, refusal, seconds: 0, costs };
  };
  const ask = <Body>(path: string, body: unknown) => askAgain<Body>(arena, path, body, patient(1000));
  const { body: validated } = await ask<ValidateTokenResponse>('/validate-token', { tokenAddress: market.token });
  if (!validated.isValid) return refused(validated.reason ?? 'for no reason that has a name');
  const body = {
    tokenAddress: market.token,
    paymentAmount: Number(PAID),
    returnAddress: recipient,
    // The request confirms the contract, since the product asks for that once.
    ...(hostileRecipient && { returnAddressIsContract: true }),
  };
  const created = await ask<{ jobId: string; paymentAddress: Address; message: string }>('/jobs/create', body);
  if (created.status >= 300) return refused(created.body.message);
  const { jobId, paymentAddress } = created.body;
  const { plan: shown } = await product.status(jobId);

  const attackers: Actor[] = [];
  if (payer) attackers.push(...(await payer.pay(arena, paymentAddress)));
  else await (await arena.newActor(parseHype(PAID) * 2n)).send({ to: paymentAddress, value: parseHype(PAID) });
  await become('when paid');
  const acts = trader !== undefined || hostileRecipient?.later !== undefined || token?.moment === 'while trading';
  if (acts) {
    await until(
      'its first order',
      () => product.status(jobId),
      (job) => hasEnded(job) || (job.receipt?.ordersPlaced ?? 0) > 0,
      patient(500),
    );
    if (hostileRecipient?.later) await arena.become(recipient, hostileRecipient.later);
    await become('while trading');
    try {
      if (trader) attackers.push(await trader.act(arena, market));
    } catch (error) {
      // A hostile token may refuse hostile traders too.
      if (!token || !(error instanceof TradeRefused)) throw error;
    }
  }
  const job = await until('the end of the job', () => product.status(jobId), hasEnded, patient(1000));
  const seconds = ((await arena.chainNowMs()) - startMs) / 1000;
  const ended = await settled(arena, job, patient(1000));
  return {
    market,
    recipient,
    job: ended,
    ...(shown && { shown }),
    seconds,
    costs: await costsOf(arena, ended, attackers, deployedGas, isByPayer),
  };
}

/** Retries while a service is too busy, as a visitor does: that is no result of an attack. */
function askAgain<Body>({ product }: Arena, path: string, body: unknown, wait: Wait): Promise<Answer<Body>> {
  return until(
    `an answer of ${path}`,
    () => product.call<Body>('POST', path, body),
    ({ status }) => status < 500,
    wait,
  );
}

/** Gas of the attackers' deployments. */
async function deploymentGas(arena: Arena, { token, recipient }: HostileCase): Promise<bigint> {
  let gas = 0n;
  for (const contract of [token?.becomes, recipient?.is, recipient?.later]) gas += await arena.deploymentGas(contract);
  return gas;
}

/** Whether the job places no more orders. */
export function hasEnded({ status }: JobStatusResponse): boolean {
  return status !== 'active' && status !== 'pending_payment';
}

/** A wallet keeps less than this without a reason, wei. */
export const UNEXPLAINED_WEI = 10n ** 15n;

/** Waits until an ended job has nothing under way, its ledger equals the chain, and its receipt explains the rest. */
async function settled(arena: Arena, { jobId }: JobStatusResponse, wait: Wait): Promise<JobStatusResponse> {
  const { product } = arena;
  await until(
    'the settlement of all that came',
    async () => {
      const { returns = [], receipt } = await product.status(jobId);
      const path = `/jobs/${jobId}/reconciliation`;
      const { status, body } = await product.askAsOperator<ReconciliationResponse>('GET', path);
      // Reading a hostile token may exceed a request's time limit: retries, as an operator would.
      const verdict = status < 500 ? body.verdict : undefined;
      const due = returns.filter(({ status }) => status === 'due').length;
      // A recipient may have just sent back its payment.
      const isExplained = receipt?.heldReason !== undefined || BigInt(receipt?.heldWei ?? 0) < UNEXPLAINED_WEI;
      return { verdict, due, isExplained };
    },
    ({ verdict, due, isExplained }) => (verdict === 'equal' || verdict === 'no_ledger') && due === 0 && isExplained,
    wait,
  );
  const isWhole = ({ receiptUnavailable }: JobStatusResponse) => receiptUnavailable === undefined;
  return until('the receipt', () => product.status(jobId), isWhole, wait);
}
