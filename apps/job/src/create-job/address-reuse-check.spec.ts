import type { RequestClient } from '@maker/messaging';
import { createLogger, Readiness } from '@maker/service-kit';
import { deriveAddress } from '@maker/signing/derivation';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JobConfiguration } from '../configuration.ts';
import type { JobsRepository } from '../job/jobs.repository.ts';
import type { JobMetrics } from '../job.metrics.ts';
import { AddressReuseCheckService, WalletCounterBehind } from './address-reuse-check.service.ts';

const XPUB =
  'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP';

let nextIndexes: number[];
let usedIndexes: number[];
let asked: string[][];
let failure: Error | undefined;
let refusals: string[];
let readiness: Readiness;
let check: AddressReuseCheckService;

beforeEach(() => {
  nextIndexes = [7];
  usedIndexes = [];
  asked = [];
  failure = undefined;
  refusals = [];
  readiness = new Readiness();
  readiness.started();
  const jobs = { nextWalletIndex: async () => (nextIndexes.length > 1 ? nextIndexes.shift() : nextIndexes[0]) };
  const requests = {
    async request(_contract: unknown, { addresses }: { addresses: string[] }) {
      asked.push(addresses);
      if (failure) throw failure;
      return { used: usedIndexes.map((index) => deriveAddress(XPUB, index).toLowerCase()) };
    },
  };
  check = new AddressReuseCheckService(
    { JOB_ACCOUNT_XPUB: XPUB } as JobConfiguration,
    createLogger('job', 'silent'),
    jobs as unknown as JobsRepository,
    requests as unknown as RequestClient,
    { walletCounterBehind: () => refusals.push('counter') } as unknown as JobMetrics,
    readiness,
  );
});

describe('AddressReuseCheckService: no address is given to a second job (design § 4)', () => {
  it('checks the wallets ahead once, then allows jobs', async () => {
    await Promise.all([check.assertNoReuse(), check.assertNoReuse()]);
    await check.assertNoReuse();
    expect(asked).toHaveLength(1);
    expect(asked[0]).toHaveLength(100);
    expect(asked[0]?.[0]).toBe(deriveAddress(XPUB, 7).toLowerCase());
    expect(asked[0]?.at(-1)).toBe(deriveAddress(XPUB, 106).toLowerCase());
  });

  it('refuses jobs while a wallet ahead was used', async () => {
    usedIndexes = [9];
    await expect(check.assertNoReuse()).rejects.toThrow(WalletCounterBehind);
    expect(await readiness.report()).toMatchObject({ ready: false });
    expect(refusals).toHaveLength(1);
    nextIndexes = [1000];
    usedIndexes = [];
    await check.assertNoReuse();
    expect(await readiness.report()).toMatchObject({ ready: true });
  });

  it('accepts a job that another replica created meanwhile', async () => {
    nextIndexes = [7, 8];
    usedIndexes = [7];
    await expect(check.assertNoReuse()).resolves.toBeUndefined();
  });

  it('checks again after a failed check', async () => {
    failure = new Error('no chain');
    await expect(check.assertNoReuse()).rejects.toThrow('no chain');
    failure = undefined;
    await expect(check.assertNoReuse()).resolves.toBeUndefined();
    expect(asked).toHaveLength(2);
  });
});
