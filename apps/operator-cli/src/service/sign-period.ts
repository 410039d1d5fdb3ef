import { readFile, stat } from 'node:fs/promises';
import { periodTypedData, type ServicePeriod, servicePeriodSchema } from '@maker/receipt';
import { parseRecipient } from '@maker/rules';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { CommandError, readOptions, UsageError } from '../command-error.ts';
import { readAddress } from './check-addresses.ts';

/** Usage text of the command. */
export const SIGN_PERIOD_USAGE = `usage: npm run ops -- sign-period --key <file> --chain <id> --treasury <address> --job-signer <address> --from <time>
    [--to <time>] [--venues <id>=<router>,...]
  signs the treasury, job signer and venues of a period with the service's identity, and prints the signed period; run it off-line.
  The file has the identity's private key as 0x and 64 hex digits, readable only by you. Write times such as 2026-01-31T12:00:00.000Z`;

const OPTIONS = ['key', 'chain', 'treasury', 'job-signer', 'from', 'to', 'venues'] as const;

export class IdentityKeyError extends CommandError {
  readonly code = 'IDENTITY_KEY';
}

/**
 * Signs a period of a service. Source: docs/receipt.md.
 * @returns JSON with the identity and the signed period @throws UsageError @throws IdentityKeyError
 */
export async function signPeriod(args: readonly string[]): Promise<string> {
  const { values } = readOptions(args, OPTIONS, SIGN_PERIOD_USAGE);
  const { key, chain, treasury, 'job-signer': jobSigner, from, to, venues } = values;
  const chainId = Number(chain);
  if (key === undefined || !Number.isSafeInteger(chainId) || chainId <= 0) throw new UsageError(SIGN_PERIOD_USAGE);
  const period = readPeriod({
    treasury: treasury && readAddress('--treasury', treasury, parseRecipient),
    jobSigner: jobSigner && readAddress('--job-signer', jobSigner),
    venues: (venues?.split(',') ?? []).map(readVenue),
    from,
    to: to ?? null,
  });
  const account = privateKeyToAccount(await readKey(key));
  const signature = await account.signTypedData(periodTypedData(chainId, period));
  return `${JSON.stringify({ identity: account.address.toLowerCase(), period: { ...period, signature } }, null, 2)}\n`;
}

function readPeriod(input: unknown): ServicePeriod {
  const parsed = servicePeriodSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  throw new UsageError(`${first?.path.join('.')} ${first?.message}; ${SIGN_PERIOD_USAGE}`);
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
