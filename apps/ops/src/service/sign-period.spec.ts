import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { periodTypedData, servicePeriodSchema } from '@maker/receipt';
import { recoverTypedDataAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runOps } from '../run-ops.fixture.ts';

const KEY = `0x${'33'.repeat(32)}` as const;
const TREASURY = `0x${'CC'.repeat(20)}`;
const SIGNER = `0x${'44'.repeat(20)}`;
const ROUTER = `0x${'0E'.repeat(20)}`;

let folder: string;
let key: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'identity-'));
  key = join(folder, 'identity');
  await writeFile(key, `${KEY}\n`, { mode: 0o400 });
});
afterAll(() => rm(folder, { recursive: true }));

const signPeriod = async (args: readonly string[]) => (await runOps(['sign-period', ...args])).output;

const options = (...more: string[]) => [
  ...['--key', key, '--chain', '999', '--treasury', TREASURY, '--job-signer', SIGNER],
  ...['--from', '2026-01-31T12:00:00.000Z', ...more],
];

it('signs a period that the verifier accepts', async () => {
  const printed = await signPeriod(options('--to', '2027-01-31T12:00:00.000Z', '--venues', `added=${ROUTER}`));
  const { identity, period } = JSON.parse(printed);
  const { signature, ...signed } = period;
  expect(identity).toBe(privateKeyToAccount(KEY).address.toLowerCase());
  expect(servicePeriodSchema.parse(signed)).toEqual({
    treasury: TREASURY.toLowerCase(),
    jobSigner: SIGNER,
    venues: [{ id: 'added', router: ROUTER.toLowerCase() }],
    from: '2026-01-31T12:00:00.000Z',
    to: '2027-01-31T12:00:00.000Z',
  });
  const signer = await recoverTypedDataAddress({ ...periodTypedData(999, signed), signature });
  expect(signer.toLowerCase()).toBe(identity);
  expect(JSON.parse(await signPeriod(options())).period).toMatchObject({ venues: [], to: null });
});

it.each([
  ['no key', ['--chain', '999'], "required option '--key <file>'"],
  ['no chain', ['--key', 'identity'], "required option '--chain <id>'"],
  [
    'a treasury that is no address',
    ['--key', 'x', '--chain', '999', '--treasury', '0x12', '--job-signer', '0x12', '--from', 'now'],
    '--treasury 0x12: A wallet address is 0x followed by 40',
  ],
])('refuses %s', async (_, args, problem) => {
  await expect(signPeriod(args)).rejects.toThrow(problem);
});

it('refuses a router that is no address', async () => {
  await expect(signPeriod(options('--venues', 'added'))).rejects.toThrow('venues.0.router');
});

it('rejects a readable, invalid or missing key', async () => {
  const other = join(folder, 'other');
  await writeFile(other, KEY, { mode: 0o600 });
  await chmod(other, 0o644);
  const withKey = (path: string) => signPeriod(options().map((option) => (option === key ? path : option)));
  await expect(withKey(other)).rejects.toThrow('others may read');
  await writeFile(other, 'no key');
  await chmod(other, 0o600);
  await expect(withKey(other)).rejects.toThrow('holds no private key');
  await expect(withKey(join(folder, 'none'))).rejects.toThrow('cannot be read');
});
