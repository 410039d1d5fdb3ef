import type { JobStatusResponse, ReconciliationResponse } from '@maker/contracts';
import { parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { until } from '../support/until.ts';
import { type Arena, PAID } from './arena.ts';
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
  /** Of a refused one: why. */
  readonly refusal?: string;
  /** By the chain's clock, from its creation to its end, s. */
  readonly seconds: number;
}

/** No case takes longer, ms. */
export const CASE_MS = 400_000;

/** Who means harm, in words. */
export function caseName({ token, recipient, payer, trader }: Omit<HostileCase, 'shape'>): string {
  return [
    token && `a token that ${token.does}${token.moment === 'while trading' ? '' : `, ${token.moment}`}`,
    recipient && `a recipient that ${recipient.does}`,
    payer?.does,
    trader && `a trader who ${trader.does}`,
  ]
    .filter((part) => part !== undefined)
    .join('; ');
}

/** Has a job meet those who mean it harm, and waits for its end. */
export async function runCase(arena: Arena, hostile: HostileCase): Promise<Outcome> {
  const { token, recipient: hostileRecipient, payer, trader } = hostile;
  const { product } = arena;
  const market = arena.market(hostile.shape);
  const become = async (moment: HostileToken['moment']) => {
    if (token?.moment === moment) await arena.become(market.token, token.becomes);
  };
  await become('before');
  const recipient = (await hostileRecipient?.prepare(arena, market)) ?? arena.nobody();
  const startMs = await arena.chainNowMs();
  const refused = (refusal: string): Outcome => ({ market, recipient, job: undefined, refusal, seconds: 0 });
  const validated = await product.validate(market.token);
  if (!validated.isValid) return refused(validated.reason ?? 'for no reason that has a name');
  const body = { tokenAddress: market.token, paymentAmount: Number(PAID), returnAddress: recipient };
  const created = await product.call<{ jobId: string; paymentAddress: Address }>('POST', '/jobs/create', body);
  if (created.status >= 300) return refused(JSON.stringify(created.body));
  const { jobId, paymentAddress } = created.body;

  if (payer) await payer.pay(arena, paymentAddress);
  else await (await arena.somebody(parseHype(PAID) * 2n)).send({ to: paymentAddress, value: parseHype(PAID) });
  await become('when paid');
  const acts = trader !== undefined || hostileRecipient?.later !== undefined || token?.moment === 'while trading';
  if (acts) {
    await until(
      'its first order',
      () => product.status(jobId),
      (job) => hasEnded(job) || (job.receipt?.ordersPlaced ?? 0) > 0,
      { timeoutMs: CASE_MS, everyMs: 500 },
    );
    if (hostileRecipient?.later) await arena.become(recipient, hostileRecipient.later);
    await become('while trading');
    await trader?.act(arena, market).catch((error: unknown) => {
      // A hostile token refuses hostile traders too.
      if (!token || !(error instanceof TradeRefused)) throw error;
    });
  }
  const job = await until('the end of the job', () => product.status(jobId), hasEnded, {
    timeoutMs: CASE_MS,
    everyMs: 1000,
  });
  const seconds = ((await arena.chainNowMs()) - startMs) / 1000;
  return { market, recipient, job: await settled(arena, job), seconds };
}

function hasEnded({ status }: JobStatusResponse): boolean {
  return status !== 'active' && status !== 'pending_payment';
}

/** Waits until nothing of an ended job is on its way, and ledger and chain agree. */
async function settled(arena: Arena, { jobId }: JobStatusResponse): Promise<JobStatusResponse> {
  const { product } = arena;
  await until(
    'the settlement of all that came',
    async () => {
      const { returns = [] } = await product.status(jobId);
      const { verdict } = await product.operate<ReconciliationResponse>('GET', `/jobs/${jobId}/reconciliation`);
      return { verdict, due: returns.filter(({ status }) => status === 'due').length };
    },
    ({ verdict, due }) => (verdict === 'equal' || verdict === 'no_ledger') && due === 0,
    { timeoutMs: CASE_MS, everyMs: 1000 },
  );
  return product.status(jobId);
}
