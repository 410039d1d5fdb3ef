import { randomUUID } from 'node:crypto';
import type { CreateJobResponse } from '@maker/contracts';
import { type Address, getAddress } from 'viem';
import type { PayerWallet } from '../product/payer-wallet.ts';
import type { ProductApi } from '../product/product-api.ts';
import { Refusal } from '../steps.ts';

/** `whole`: pays for the job, so that its fee is paid and it turns active. `small`: pays too little, so that all comes back. */
export const ROUND_KINDS = ['small', 'whole'] as const;

export type RoundKind = (typeof ROUND_KINDS)[number];

/** A job that waits for this round's payment. */
export interface BegunJob {
  readonly kind: RoundKind;
  readonly jobId: string;
  readonly paymentAddress: Address;
  readonly stopSecret: string;
  readonly paidWei: bigint;
}

export interface Beginning {
  readonly api: ProductApi;
  readonly wallet: PayerWallet;
  readonly tokenAddress: string;
  /** Of the whole round that may be due; see `wholeRoundKey`. */
  readonly wholeKey: string | undefined;
  readonly wholePaymentWei: bigint;
  readonly smallPaymentWei: bigint;
}

/** Creates the whole round's job where nobody has paid it yet, and a small one's otherwise. */
export async function beginJob(beginning: Beginning, signal: AbortSignal): Promise<BegunJob> {
  const { api, wallet, tokenAddress, wholeKey, wholePaymentWei, smallPaymentWei } = beginning;
  if (wholeKey !== undefined) {
    const created = await api.create(tokenAddress, wholePaymentWei, wholeKey, signal);
    if (await isUnpaid(created, wallet)) return begun('whole', created, wholePaymentWei);
  }
  const created = await api.create(tokenAddress, wholePaymentWei, randomUUID(), signal);
  return begun('small', created, smallPaymentWei);
}

/** A secret is told only while a job waits; the chain tells of a payment that nobody has seen. */
async function isUnpaid({ stopSecret, paymentAddress }: CreateJobResponse, wallet: PayerWallet): Promise<boolean> {
  return stopSecret !== undefined && (await wallet.balance(getAddress(paymentAddress))) === 0n;
}

function begun(kind: RoundKind, { jobId, paymentAddress, stopSecret }: CreateJobResponse, paidWei: bigint): BegunJob {
  if (stopSecret === undefined) throw new Refusal('the API gives no secret to stop the job with: it is not paid');
  return { kind, jobId, paymentAddress: getAddress(paymentAddress), stopSecret, paidWei };
}
