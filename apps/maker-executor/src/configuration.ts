import { chainEnvironment, hyperCoreEnvironment, treasuryEnvironment, trustEnvironment } from '@maker/chain';
import { addressSchema } from '@maker/contracts';
import { natsEnvironment } from '@maker/messaging';
import { mongoEnvironment } from '@maker/persistence';
import { commaList, commonEnvironment, tracingEnvironment } from '@maker/service-kit';
import type { RecipientTrust } from '@maker/signing/agreement';
import { readOperatorKeys } from '@maker/signing/commands';
import { z } from 'zod';

/** Environment of maker-executor. */
export const makerEnvironment = z.object({
  ...commonEnvironment,
  ...tracingEnvironment,
  ...mongoEnvironment,
  ...natsEnvironment,
  ...chainEnvironment,
  ...hyperCoreEnvironment,
  ...trustEnvironment,
  ...treasuryEnvironment,
  /** File with the BIP-39 mnemonic of all wallets, mode 0400. Source: design § 6. */
  MAKER_SEED_FILE: z.string().min(1),
  /** File with the passphrase, mode 0400, if the seed file is encrypted by `age --passphrase`. Source: design § 6. */
  MAKER_SEED_PASSPHRASE_FILE: z.string().min(1).optional(),
  /**
   * Operators who may sign commands that move money: `name:key`, separated by commas. The key is an Ed25519 public key in
   * base64url. Two operators must not share a key. Without an operator, no held money can be released.
   */
  MAKER_OPERATOR_KEYS: z
    .string()
    .default('')
    .transform((text, context) => readOperatorKeys(text, (message) => context.addIssue({ code: 'custom', message }))),
  /** Addresses of the keys that sign agreements, separated by commas. Source: docs/adr/0142. */
  JOB_AGREEMENT_SIGNERS: commaList.pipe(z.array(addressSchema).min(1)),
  /** Time without a deep enough pool after which the job fails with the reason `liquidity`. */
  MAKER_LIQUIDITY_TIMEOUT_SECONDS: z.coerce.number().int().positive().default(21_600),
  /** Reverted orders in a row after which the job fails with the reason `technical`. */
  MAKER_MOST_CONSECUTIVE_FAILURES: z.coerce.number().int().positive().default(20),
  /** Time between two comparisons of a trading job's ledger with the chain. */
  MAKER_RECONCILE_SECONDS: z.coerce.number().int().positive().default(60),
  /** Lifetime of a wallet's lease: another process takes over the wallet of a dead one after this time. */
  MAKER_LEASE_SECONDS: z.coerce.number().int().min(3).default(10),
});

/** Parsed {@link makerEnvironment}. */
export type MakerConfiguration = z.infer<typeof makerEnvironment>;

/** Injection token of the {@link MakerConfiguration}. */
export const MAKER_CONFIGURATION = Symbol('MAKER_CONFIGURATION');

/** Whose signatures decide about recipients. */
export function recipientTrust(configuration: MakerConfiguration, chainId: number): RecipientTrust {
  const { JOB_AGREEMENT_SIGNERS: agreementSigners, MAKER_OPERATOR_KEYS: operatorKeys } = configuration;
  return { chainId, agreementSigners, operatorKeys };
}
