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

/** Who means harm to one job. */
export interface HostileCase {
  readonly shape: PoolShape;
  readonly token?: HostileToken;
  readonly recipient?: HostileRecipient;
  readonly payer?: HostilePayer;
  readonly trader?: HostileTrader;
}

/** How a case ended. */
export interface Outcome {
  readonly market: Market;
  /** The address that the request named. */
  readonly recipient: Address;
  /** Undefined where the product refused the token or the request before anybody paid. */
  readonly job: JobStatusResponse | undefined;
  /** What was promised before the payment. */
  readonly shown?: JobPlan;
  /** Of a refused one: why. */
  readonly refusal?: string;
  /** By the chain's clock, from its creation to its end, s. */
  readonly seconds: number;
  readonly costs: Costs;
}

/** No case takes longer, ms. */
const CASE_MS = 400_000;

/** What a test of a case may take, ms: what it waited for in vain is told before that. */
export const CASE_TEST_MS = CASE_MS + 60_000;

/** How long something is waited for. */
type Wait = NonNullable<Parameters<typeof until>[3]>;

/** Until a case has taken its time. */
function patience(): (everyMs: number) => Wait {
  const end = Date.now() + CASE_MS;
  return (everyMs) => ({ timeoutMs: end - Date.now(), everyMs });
}

/** Who means harm, in words. */
export function caseName({ token, recipient, payer, trader }: Omit<HostileCase, 'shape'>): string {
  const who = [
    token && `a token that ${token.does}${token.moment === 'while trading' ? '' : `, ${token.moment}`}`,
    recipient && `a recipient that ${recipient.does}`,
    payer?.does,
    trader && `a trader who ${trader.does}`,
  ].filter((part) => part !== undefined);
  return who.length === 0 ? 'nobody means harm' : who.join('; ');
}

/** Has a job meet those who mean it harm, and waits for its end. */
export async function runCase(arena: Arena, hostile: HostileCase): Promise<Outcome> {
  const { token, recipient: hostileRecipient, payer, trader } = hostile;
  const { product } = arena;
  const patient = patience();
  const market = arena.market(hostile.shape);
  const become = async (moment: HostileToken['moment']) => {
    if (token?.moment === moment) await arena.become(market.token, token.becomes);
  };
  await become('before');
  const recipient = (await hostileRecipient?.prepare(arena, market)) ?? arena.nobody();
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
    // Who means harm says so: the product asks once.
    ...(hostileRecipient && { returnAddressIsContract: true }),
  };
  const created = await ask<{ jobId: string; paymentAddress: Address; message: string }>('/jobs/create', body);
  if (created.status >= 300) return refused(created.body.message);
  const { jobId, paymentAddress } = created.body;
  const { plan: shown } = await product.status(jobId);

  const attackers: Actor[] = [];
  if (payer) attackers.push(...(await payer.pay(arena, paymentAddress)));
  else await (await arena.somebody(parseHype(PAID) * 2n)).send({ to: paymentAddress, value: parseHype(PAID) });
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
      // A hostile token refuses hostile traders too.
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

/** Asks as a visitor does who tries again where a service is too busy: that says nothing about an attack. */
function askAgain<Body>({ product }: Arena, path: string, body: unknown, wait: Wait): Promise<Answer<Body>> {
  return until(
    `an answer of ${path}`,
    () => product.call<Body>('POST', path, body),
    ({ status }) => status < 500,
    wait,
  );
}

/** What it takes to deploy the contracts of those who mean harm. */
async function deploymentGas(arena: Arena, { token, recipient }: HostileCase): Promise<bigint> {
  let gas = 0n;
  for (const contract of [token?.becomes, recipient?.is, recipient?.later]) gas += await arena.deploymentGas(contract);
  return gas;
}

/** Whether nothing more is bought for a job. */
export function hasEnded({ status }: JobStatusResponse): boolean {
  return status !== 'active' && status !== 'pending_payment';
}

/** What comes back to a wallet and is less than this stays there without a reason, wei. */
export const NOBODYS_WEI = 10n ** 15n;

/** Waits until nothing of an ended job is on its way, ledger and chain agree, and of all that is left it is said why. */
async function settled(arena: Arena, { jobId }: JobStatusResponse, wait: Wait): Promise<JobStatusResponse> {
  const { product } = arena;
  await until(
    'the settlement of all that came',
    async () => {
      const { returns = [], receipt } = await product.status(jobId);
      const path = `/jobs/${jobId}/reconciliation`;
      const { status, body } = await product.askAsOperator<ReconciliationResponse>('GET', path);
      // Reading a token that means harm may take longer than an answer may: asked again, as an operator would.
      const verdict = status < 500 ? body.verdict : undefined;
      const due = returns.filter(({ status }) => status === 'due').length;
      // A recipient may have sent back what it got a moment ago.
      const isExplained = receipt?.heldReason !== undefined || BigInt(receipt?.heldWei ?? 0) < NOBODYS_WEI;
      return { verdict, due, isExplained };
    },
    ({ verdict, due, isExplained }) => (verdict === 'equal' || verdict === 'no_ledger') && due === 0 && isExplained,
    wait,
  );
  const isWhole = ({ receiptUnavailable }: JobStatusResponse) => receiptUnavailable === undefined;
  return until('the receipt', () => product.status(jobId), isWhole, wait);
}
