import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agreement } from '@maker/contracts';
import { describe, expect, it } from 'vitest';
import { agreementFixture, TEST_AGREEMENT_KEY, testAgreementKey } from './agreement.fixture.ts';
import { agreementHash, isAgreementSigned } from './agreement.ts';
import { AgreementKey, AgreementKeyError } from './agreement-key.ts';

const other = AgreementKey.of(`0x${'b8'.repeat(32)}`);
const CHANGED: { readonly [Field in keyof Agreement]: Agreement[Field] } = {
  jobId: `job_${'b'.repeat(32)}`,
  chainId: 999,
  wallet: `0x${'3'.repeat(40)}`,
  tokenAddress: `0x${'3'.repeat(40)}`,
  amountWei: '1',
  leastWei: '1',
  deadline: '2027-01-01T00:00:00.000Z',
  returnAddress: `0x${'3'.repeat(40)}`,
  seenPriceX96: '1',
  bandBps: 1,
  slippageBps: 1,
  impactCapBps: 1,
  latestEndAt: '2027-01-01T00:00:00.000Z',
  stopSecretHash: 'ef'.repeat(32),
  claim: 'ef'.repeat(32),
  createdAt: '2027-01-01T00:00:00.000Z',
};

describe('an agreement', () => {
  it('is signed by the current or the earlier key', async () => {
    const signed = await testAgreementKey.sign(agreementFixture());
    expect(isAgreementSigned(signed, [testAgreementKey.address])).toBe(true);
    expect(isAgreementSigned(signed, [other.address, testAgreementKey.address])).toBe(true);
    expect(isAgreementSigned(signed, [other.address])).toBe(false);
    expect(isAgreementSigned({ ...signed, signature: '0x' }, [testAgreementKey.address])).toBe(false);
  });

  it.each(Object.keys(CHANGED) as (keyof Agreement)[])('loses its signature with another %s', async (field) => {
    const signed = await testAgreementKey.sign(agreementFixture());
    const agreement = { ...signed.agreement, [field]: CHANGED[field] };
    expect(isAgreementSigned({ ...signed, agreement }, [testAgreementKey.address])).toBe(false);
    expect(agreementHash(agreement)).not.toBe(agreementHash(signed.agreement));
  });

  it('reads its key only from a file of its owner', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'agreement-'));
    const file = join(folder, 'key');
    writeFileSync(file, `${TEST_AGREEMENT_KEY}\n`, { mode: 0o400 });
    expect((await AgreementKey.read(file)).address).toBe(testAgreementKey.address);
    for (const mode of [0o440, 0o404]) {
      chmodSync(file, mode);
      await expect(AgreementKey.read(file)).rejects.toThrow(/set its mode to 0400/);
    }
    rmSync(folder, { recursive: true });
    await expect(AgreementKey.read(file)).rejects.toThrow(/cannot be read \(ENOENT\)/);
  });

  it('needs a key of 64 digits, which no error repeats', () => {
    for (const text of ['', 's3cret', TEST_AGREEMENT_KEY.slice(2), `0x${'0'.repeat(64)}`]) {
      expect(() => AgreementKey.of(text)).toThrow(AgreementKeyError);
      expect(() => AgreementKey.of(text)).not.toThrow('s3cret');
    }
  });
});
