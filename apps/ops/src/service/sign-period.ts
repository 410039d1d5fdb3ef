import { readFile, stat } from 'node:fs/promises';
import { periodTypedData, type ServicePeriod, servicePeriodSchema } from '@maker/receipt';
import { parseRecipient } from '@maker/rules';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { readAddress } from '../address-option.ts';
import { CommandError, UsageError } from '../command-error.ts';
import type { Printed } from '../output.ts';

/** Options of `sign-period`. */
export interface PeriodOptions {
  /** File with the private key of the identity: 0x and 64 hex digits, readable only by its owner. */
  readonly key: string;
  readonly chain: string;
  readonly treasury: string;
  readonly jobSigner: string;
  /** Times such as 2026-01-31T12:00:00.000Z. */
  readonly from: string;
  readonly to?: string;
  /** `<id>=<router>`, separated by commas. */
  readonly venues?: string;
}

export class IdentityKeyError extends CommandError {
  readonly code = 'IDENTITY_KEY';
}

/**
 * Signs a period of a service. Source: docs/receipt.md.
 * @returns the identity and the signed period @throws UsageError @throws IdentityKeyError
 */
export async function signPeriod(options: PeriodOptions): Promise<Printed> {
  const chainId = Number(options.chain);
  if (!Number.isSafeInteger(chainId) || chainId <= 0) throw new UsageError('--chain must be the id of a chain');
  const period = readPeriod({
    treasury: readAddress('--treasury', options.treasury, parseRecipient),
    jobSigner: readAddress('--job-signer', options.jobSigner),
    venues: (options.venues?.split(',') ?? []).map(readVenue),
    from: options.from,
    to: options.to ?? null,
  });
  const account = privateKeyToAccount(await readKey(options.key));
  const signature = await account.signTypedData(periodTypedData(chainId, period));
  const json = { identity: account.address.toLowerCase(), period: { ...period, signature } };
  return { text: `${JSON.stringify(json, null, 2)}\n`, json, isExact: true };
}

function readPeriod(input: unknown): ServicePeriod {
  const parsed = servicePeriodSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  throw new UsageError(`${first?.path.join('.')} ${first?.message}`);
}

function readVenue(text: string) {
  const [id, router] = text.split('=');
  return { id, router: router && readAddress('--venues', router) };
}

async function readKey(path: string): Promise<Hex> {
  const { mode } = await stat(path).catch((error: unknown) => {
    throw new IdentityKeyError(`${path} cannot be read`, { cause: error });
  });
  if ((mode & 0o077) !== 0) throw new IdentityKeyError(`others may read ${path}: chmod 400 it`);
  const text = (await readFile(path, 'utf8')).trim();
  if (!/^0x[0-9a-f]{64}$/i.test(text)) throw new IdentityKeyError(`${path} holds no private key of 32 bytes`);
  return text as Hex;
}
