import { SEED_PROOF_WITHDRAWN_SUBJECT } from '@maker/contracts';
import { NATS_CONNECTION } from '@maker/messaging';
import { Readiness } from '@maker/service-kit';
import { mnemonicToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANOTHER_SEED, TEST_SEED } from '../executor-double.fixture.ts';
import { type JobStage, startJobStage } from '../job-service.fixture.ts';

/** The xpub of a seed that maker-executor does not hold. */
const ANOTHER_XPUB = mnemonicToAccount(ANOTHER_SEED, { path: "m/44'/60'/0'" }).getHdKey().publicExtendedKey;

/** The service asks again 1 s after a proof of another seed. */
const SOON = { timeout: 20_000, interval: 200 };

let stage: JobStage;

const readiness = () => {
  const own = stage.service.get(Readiness, { strict: false });
  own.started();
  return own.report();
};

beforeAll(async () => {
  stage = await startJobStage({ JOB_ACCOUNT_XPUB: ANOTHER_XPUB });
});

afterAll(() => stage?.stop());

describe('an xpub of another seed than the executor’s', () => {
  it('creates no job', async () => {
    await expect(stage.create()).rejects.toMatchObject({ code: 'XPUB_MISMATCH' });
    expect(await stage.database.collection('jobs').countDocuments()).toBe(0);
  });

  it('makes the service unready with its reason', async () => {
    const failing = { xpub: 'JOB_ACCOUNT_XPUB is not of the seed that maker-executor holds' };
    expect(await readiness()).toMatchObject({ ready: false, failing });
  });

  it('gives addresses once the executor proves its seed', async () => {
    stage.executor.seed = ANOTHER_SEED;
    await expect.poll(readiness, SOON).toMatchObject({ ready: true });
    const { paymentAddress } = await stage.create();
    expect(paymentAddress).toBe(mnemonicToAccount(ANOTHER_SEED).address);
  });

  it('creates none after a start with another seed', async () => {
    const { seed } = stage.executor;
    stage.executor.seed = TEST_SEED;
    stage.service.get(NATS_CONNECTION, { strict: false }).publish(SEED_PROOF_WITHDRAWN_SUBJECT);
    await expect.poll(readiness, SOON).toMatchObject({ ready: false });
    const before = await stage.database.collection('jobs').countDocuments();
    await expect(stage.create()).rejects.toMatchObject({ code: 'XPUB_MISMATCH' });
    expect(await stage.database.collection('jobs').countDocuments()).toBe(before);
    stage.executor.seed = seed;
    await expect.poll(readiness, SOON).toMatchObject({ ready: true });
  });

  it('needs one proof for many jobs', async () => {
    const before = stage.executor.proofs;
    await Promise.all(Array.from({ length: 20 }, () => stage.create()));
    expect(stage.executor.proofs).toBe(before);
  });
});
