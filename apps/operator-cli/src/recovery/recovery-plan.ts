import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parseRecipient } from '@maker/rules';
import { type Address, getAddress, isAddress } from 'viem';
import { z } from 'zod';
import { RecoveryError } from './recovery-error.ts';

const address = z.string().refine((text) => isAddress(text), 'is not an address, or its checksum is wrong');
const checksummed = address.transform((text): Address => getAddress(text));
/** Where money goes: a dead end is refused with its reason. */
const recipient = z
  .string()
  .superRefine((text, { addIssue }) => {
    const parsed = parseRecipient(text);
    if (!parsed.ok) addIssue({ code: 'custom', message: parsed.problem });
  })
  .transform((text): Address => getAddress(text.trim()));
const wei = z.string().regex(/^-?\d+$/, 'must be an integer in wei');

const walletSchema = z.object({
  index: z.number().int().min(0),
  address: checksummed,
  nonce: z.number().int().min(0),
  balanceWei: wei,
  /** What it bought and still holds, in the token's smallest unit. */
  tokens: z.array(z.object({ token: checksummed, amount: wei })),
  /** Null: nothing is sent. A person who knows better writes an address here. */
  returnTo: recipient.nullable(),
  because: z.string(),
  /** From the blocks; absent where none were read. */
  history: z
    .object({
      payers: z.array(z.object({ from: checksummed, amountWei: wei, transactionHash: z.string() })),
      receivedWei: wei,
      feeWei: wei,
      sentWei: wei,
      gasWei: wei,
      unexplainedWei: wei,
    })
    .optional(),
});

/** What `recover survey` writes, a person reads, and `recover return` carries out. */
export const recoveryPlanSchema = z.object({
  version: z.literal(1),
  chainId: z.number().int().positive(),
  madeAt: z.iso.datetime(),
  atBlock: z.number().int(),
  fromBlock: z.number().int().optional(),
  /** The first index that no earlier job can have been given. */
  firstFreeIndex: z.number().int().min(0),
  wallets: z.array(walletSchema),
});

export type RecoveryPlan = z.infer<typeof recoveryPlanSchema>;

export type PlannedWallet = RecoveryPlan['wallets'][number];

/** Reads a plan, and the hash by which its journal knows it. @throws RecoveryError naming what is wrong with the file */
export async function readPlan(path: string): Promise<{ plan: RecoveryPlan; sha256: string }> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new RecoveryError(`the plan ${path} cannot be read (${error.code ?? 'unknown error'})`);
  });
  const parsed = recoveryPlanSchema.safeParse(parseJson(text, path));
  if (!parsed.success) throw new RecoveryError(`the plan ${path} is not valid: ${z.prettifyError(parsed.error)}`);
  return { plan: parsed.data, sha256: createHash('sha256').update(text).digest('hex') };
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RecoveryError(`the plan ${path} is not JSON`);
  }
}
