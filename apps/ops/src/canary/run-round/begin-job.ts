import { randomUUID } from 'node:crypto';
import type { CreateJobResponse } from '@maker/contracts';
import { type Address, getAddress } from 'viem';
import type { PayerWallet } from '../product/payer-wallet.ts';
import type { ProductApi } from '../product/product-api.ts';
import { Refusal } from '../steps.ts';

/** `whole`: pays the job in full, so it pays the fee and becomes active. `small`: pays too little, so the product returns it. */
export const ROUND_KINDS = ['small', 'whole'] as const;

export type RoundKind = (typeof ROUND_KINDS)[number];

/** A job that waits for this round's payment. */
export interface NewJob {
  readonly kind: RoundKind;
  readonly jobId: string;
  readonly paymentAddress: Address;
  readonly stopSecret: string;
  readonly paidWei: bigint;
}

export interface RoundOptions {
  readonly api: ProductApi;
  readonly wallet: PayerWallet;
  readonly tokenAddress: string;
  /** Key of the whole round that may be due; see `wholeRoundKey`. */
  readonly wholeKey: string | undefined;
  readonly wholePaymentWei: bigint;
  readonly smallPaymentWei: bigint;
}

/** Creates the whole round's job if it is unpaid, and a small round's job otherwise. */
export async function beginJob(options: RoundOptions, signal: AbortSignal): Promise<NewJob> {
  const { api, tokenAddress, wholeKey, wholePaymentWei, smallPaymentWei } = options;
  if (wholeKey !== undefined) {
    const created = await api.create(tokenAddress, wholePaymentWei, wholeKey, signal);
    if (await isUnpaid(created, options, signal)) return newJob('whole', created, wholePaymentWei);
  }
  const created = await api.create(tokenAddress, wholePaymentWei, randomUUID(), signal);
  return newJob('small', created, smallPaymentWei);
}

/** The balance shows a payment that the product has not seen. */
async function isUnpaid(
  { jobId, paymentAddress }: CreateJobResponse,
  { api, wallet }: RoundOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const { status } = await api.payment(jobId, signal);
  return status === 'pending_payment' && (await wallet.balance(getAddress(paymentAddress))) === 0n;
}

function newJob(kind: RoundKind, { jobId, paymentAddress, stopSecret }: CreateJobResponse, paidWei: bigint): NewJob {
  if (stopSecret === undefined) throw new Refusal('the API returns no stop secret: the canary does not pay the job');
  return { kind, jobId, paymentAddress: getAddress(paymentAddress), stopSecret, paidWei };
}
