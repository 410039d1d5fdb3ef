import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CreateJobResponse, ErrorBody } from '@maker/contracts';
import { mnemonicToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { ownStackForFile } from '../support/own-stack-for-file.ts';
import { until } from '../support/until.ts';

const own = ownStackForFile();

/** A seed without money. */
const ANOTHER_SEED = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
const { publicExtendedKey } = mnemonicToAccount(ANOTHER_SEED, { path: "m/44'/60'/0'" }).getHdKey();

const create = () => {
  const body = { tokenAddress: own.product.stack.tokens.both, paymentAmount: 0.25 };
  return own.product.call<CreateJobResponse & ErrorBody>('POST', '/jobs/create', body);
};

describe('a job service with the xpub of another seed', { timeout: 180_000 }, () => {
  it('creates no job until the executor holds that seed', async () => {
    const { ops } = own.product.stack;
    // It becomes ready only at the end of this test.
    const restarted = own.running.restart('job', 0, { JOB_ACCOUNT_XPUB: publicExtendedKey });
    const refused = await until('the refusal', create, ({ body }) => body.code === 'XPUB_MISMATCH');
    expect(refused.status).toBe(503);
    expect(refused.body.paymentAddress).toBeUndefined();
    const ready = await fetch(`${ops.job}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('JOB_ACCOUNT_XPUB')]);

    const seedFile = join(own.running.directory, 'another-seed');
    await writeFile(seedFile, ANOTHER_SEED, { mode: 0o400 });
    await own.running.restart('maker-executor', 0, { MAKER_SEED_FILE: seedFile });
    await restarted;
    const job = await own.product.createJob(own.product.stack.tokens.both, 0.25);
    await own.product.pay(job.paymentAddress, '0.25');
    await own.product.completed(job.jobId, { timeoutMs: 120_000 });
  });
});
