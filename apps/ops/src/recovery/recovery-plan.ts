import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { configuredAddress, configuredRecipient } from '@maker/chain';
import { z } from 'zod';
import { RecoveryError } from './recovery-error.ts';

const wei = z.string().regex(/^-?\d+$/, 'must be an integer in wei');

const walletSchema = z.object({
  index: z.number().int().min(0),
  address: configuredAddress,
  nonce: z.number().int().min(0),
  balanceWei: wei,
  /** Bought tokens that it still holds, in the token's smallest unit. */
  tokens: z.array(z.object({ token: configuredAddress, amount: wei })),
  /** Recipient. Null: nothing is sent. The operator may write an address here. */
  returnTo: configuredRecipient.nullable(),
  because: z.string(),
  /** From the blocks; absent if none were read. */
  history: z
    .object({
      payers: z.array(z.object({ from: configuredAddress, amountWei: wei, transactionHash: z.string() })),
      receivedWei: wei,
      feeWei: wei,
      sentWei: wei,
      gasWei: wei,
      unexplainedWei: wei,
    })
    .optional(),
});

/** The plan that `recover survey` writes, the operator reads, and `recover return` executes. */
export const recoveryPlanSchema = z.object({
  version: z.literal(1),
  chainId: z.number().int().positive(),
  madeAt: z.iso.datetime(),
  atBlock: z.number().int(),
  fromBlock: z.number().int().optional(),
  /** The first index that no earlier job can have. */
  firstFreeIndex: z.number().int().min(0),
  wallets: z.array(walletSchema),
});

export type RecoveryPlan = z.infer<typeof recoveryPlanSchema>;

export type PlannedWallet = RecoveryPlan['wallets'][number];

/** Reads a plan and its hash, which its journal stores. @throws RecoveryError with the problem of the file */
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
