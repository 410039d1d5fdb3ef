import { type ReceiptHead, receiptTypedData } from '@maker/receipt';
import type { SeedKeyring } from '@maker/signing/private';
import { Inject, Injectable } from '@nestjs/common';
import { type Hash, type Hex, isAddressEqual } from 'viem';
import type { Execution } from '../execution/execution.ts';
import type { PolicyLimits } from './policy.ts';
import { KEYRING, POLICY_LIMITS } from './transaction-sender.ts';

/** Something that is no receipt of the job was to be signed; nothing was. */
export class ReceiptPolicyError extends Error {
  readonly code = 'RECEIPT_POLICY_VIOLATION';

  constructor(rule: string) {
    super(`Refused to sign a receipt: ${rule}`);
    this.name = 'ReceiptPolicyError';
  }
}

/**
 * The only typed data that is signed here for a job's wallet: its own receipt. The domain is of this chain and of the wallet itself, a contract
 * nowhere, so that no exchange or token takes the signature for a permission. Source: design §§ 2.6 and 5.
 */
@Injectable()
export class ReceiptSigner {
  constructor(
    @Inject(KEYRING) private readonly keyring: SeedKeyring,
    @Inject(POLICY_LIMITS) private readonly limits: PolicyLimits,
  ) {}

  /** @param contentHash of the receipt with its orders @throws ReceiptPolicyError */
  async sign(execution: Execution, head: ReceiptHead, contentHash: Hash): Promise<Hex> {
    const signer = this.keyring.wallet(execution.walletIndex);
    const demand = (holds: boolean, rule: string) => {
      if (!holds) throw new ReceiptPolicyError(rule);
    };
    demand(isAddressEqual(signer.address, execution.walletAddress), "the signer is not the job's wallet");
    demand(isAddressEqual(head.wallet, execution.walletAddress), 'it is of another wallet');
    demand(head.chainId === this.limits.chainId, 'the chain id is not the configured one');
    demand(head.jobId === execution.id, 'it is of another job');
    return signer.signTypedData(receiptTypedData(head, contentHash));
  }
}
