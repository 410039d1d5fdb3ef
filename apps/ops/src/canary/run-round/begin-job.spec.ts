import type { CreateJobResponse, JobPaymentResponse } from '@maker/contracts';
import { parseHype } from '@maker/rules';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PayerWallet } from '../product/payer-wallet.ts';
import type { ProductApi } from '../product/product-api.ts';
import { beginJob } from './begin-job.ts';

const KEY = 'canary-2026-11-22-1-of-13';
const WALLET = '0x9858EfFD232B4033E47d90003D41EC34EcaEda94';
const [LEAST, SMALL] = [parseHype('0.25'), parseHype('0.002')];
const signal = new AbortController().signal;

let created: { key: string; paymentWei: bigint }[];
let status: JobPaymentResponse['status'];
let onChainWei: bigint;

beforeEach(() => {
  created = [];
  status = 'pending_payment';
  onChainWei = 0n;
});

function begin(wholeKey: string | undefined) {
  const api = {
    async create(_token: string, paymentWei: bigint, key: string) {
      created.push({ key, paymentWei });
      const stopSecret = key === KEY ? 'stop_secret' : 'stop_small';
      return { jobId: `job of ${key}`, paymentAddress: WALLET, stopSecret } as CreateJobResponse;
    },
    async payment() {
      return { status } as JobPaymentResponse;
    },
  };
  const wallet = { balance: async () => onChainWei };
  return beginJob(
    {
      api: api as unknown as ProductApi,
      wallet: wallet as unknown as PayerWallet,
      tokenAddress: WALLET,
      wholeKey,
      wholePaymentWei: LEAST,
      smallPaymentWei: SMALL,
    },
    signal,
  );
}

describe('the job of a round (docs/adr/0035)', () => {
  it('is the whole round’s job until it is paid', async () => {
    expect(await begin(KEY)).toMatchObject({ kind: 'whole', jobId: `job of ${KEY}`, paidWei: LEAST });
    expect(created).toEqual([{ key: KEY, paymentWei: LEAST }]);
  });

  it('is a small job after the whole one expired', async () => {
    status = 'payment_expired';
    expect(await begin(KEY)).toMatchObject({ kind: 'small', stopSecret: 'stop_small', paidWei: SMALL });
    expect(created[1]?.key).not.toBe(KEY);
  });

  it('is a small job if the payment was unseen', async () => {
    onChainWei = LEAST;
    expect(await begin(KEY)).toMatchObject({ kind: 'small' });
  });

  it('is a new small job without a whole round', async () => {
    await begin(undefined);
    await begin(undefined);
    expect(new Set(created.map(({ key }) => key)).size).toBe(2);
    // The request names the gateway's minimum, and the payment is less.
    expect(created.map(({ paymentWei }) => paymentWei)).toEqual([LEAST, LEAST]);
  });
});
