import type { RequestClient } from '@maker/messaging';
import { type Clock, createLogger, Readiness } from '@maker/service-kit';
import { seedProofTypedData } from '@maker/signing/derivation';
import { mnemonicToAccount } from 'viem/accounts';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JobConfiguration } from '../configuration.ts';
import { ANOTHER_SEED, TEST_SEED } from '../executor-double.fixture.ts';
import { TEST_XPUB } from '../plan/market.fixture.ts';
import { SeedProofService, XpubMismatch } from './seed-proof.service.ts';

const MINUTE_MS = 60_000;

let nowMs: number;
let seed: string | undefined;
let asked: string[];
let readiness: Readiness;
let proof: SeedProofService;
/** Announces the start of an executor. */
let executorStarts: () => void;

/** Waits for the renewal in the background. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  nowMs = 0;
  seed = TEST_SEED;
  asked = [];
  readiness = new Readiness();
  readiness.started();
  const requests = {
    async request(_contract: unknown, { challenge }: { challenge: `0x${string}` }) {
      asked.push(challenge);
      if (seed === undefined) throw new Error('no answer');
      return { signature: await mnemonicToAccount(seed).signTypedData(seedProofTypedData(challenge)) };
    },
  };
  proof = new SeedProofService(
    { JOB_ACCOUNT_XPUB: TEST_XPUB } as JobConfiguration,
    createLogger('job', 'silent'),
    requests as unknown as RequestClient,
    { now: () => nowMs } as Clock,
    readiness,
    {
      subscribe(_subject, { callback } = {}) {
        executorStarts = () => callback?.(null, undefined as never);
        return {} as never;
      },
    },
  );
});

describe('SeedProofService', () => {
  it('proves the seed once for jobs of a minute', async () => {
    await Promise.all([proof.assertProven(), proof.assertProven()]);
    nowMs += MINUTE_MS - 1;
    await proof.assertProven();
    expect(asked).toHaveLength(1);
  });

  it('refuses jobs while the executor holds another seed', async () => {
    seed = ANOTHER_SEED;
    await expect(proof.assertProven()).rejects.toThrow(XpubMismatch);
    expect(await readiness.report()).toMatchObject({ ready: false });
    seed = TEST_SEED;
    nowMs += 1000;
    expect(await readiness.report()).toMatchObject({ ready: true });
    await expect(proof.assertProven()).resolves.toBeUndefined();
  });

  it('notices a seed that changed within a minute', async () => {
    await proof.assertProven();
    seed = ANOTHER_SEED;
    nowMs += MINUTE_MS;
    expect(await readiness.report()).toMatchObject({ ready: false });
    await expect(proof.assertProven()).rejects.toThrow(XpubMismatch);
  });

  it('refuses jobs until the executor has answered once', async () => {
    seed = undefined;
    await expect(proof.assertProven()).rejects.toThrow('no answer');
    expect(await readiness.report()).toMatchObject({ ready: true });
    seed = TEST_SEED;
    await expect(proof.assertProven()).resolves.toBeUndefined();
  });

  it('keeps a proof while the executor is away', async () => {
    await proof.assertProven();
    seed = undefined;
    nowMs += MINUTE_MS;
    await proof.assertProven();
    await settled();
    await expect(proof.assertProven()).resolves.toBeUndefined();
  });

  it('withdraws its proof when an executor starts', async () => {
    proof.onApplicationBootstrap();
    await proof.assertProven();
    seed = undefined;
    executorStarts();
    await expect(proof.assertProven()).rejects.toThrow('no answer');
    seed = ANOTHER_SEED;
    await expect(proof.assertProven()).rejects.toThrow(XpubMismatch);
    seed = TEST_SEED;
    executorStarts();
    await expect(proof.assertProven()).resolves.toBeUndefined();
  });

  it('takes no proof from before a start', async () => {
    proof.onApplicationBootstrap();
    const asking = proof.assertProven();
    seed = ANOTHER_SEED;
    executorStarts();
    await expect(asking).rejects.toThrow(XpubMismatch);
  });

  it('sends a new challenge each time', async () => {
    await proof.assertProven();
    nowMs += MINUTE_MS;
    await readiness.report();
    expect(new Set(asked).size).toBe(2);
  });
});
