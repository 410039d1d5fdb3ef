import type { Attempt, Execution, PlannedTransaction, TransactionRecord } from '@maker/execution-records';
import { RequestFailure } from '@maker/messaging';
import { receiptTypedData } from '@maker/receipt';
import { PLAIN_TRANSFER_GAS } from '@maker/rules';
import { Clock } from '@maker/service-kit';
import {
  type SeedKeyring,
  type SignedSpotSend,
  seedProofTypedData,
  type UnsignedTransaction,
  type WalletSigner,
} from '@maker/signing/private';
import { Inject, Injectable } from '@nestjs/common';
import { type Address, type Hash, type Hex, isAddressEqual } from 'viem';
import { MakerMetrics } from '../metrics/maker.metrics.ts';
import { assertMaySign, type PolicyLimits } from './policy.ts';
import type { Replacement } from './replacement.ts';

/** Injection token of the seed's keyring. Only {@link JobWalletSigner} uses it. */
export const KEYRING = Symbol('KEYRING');

/** Injection token of the {@link PolicyLimits}. */
export const POLICY_LIMITS = Symbol('POLICY_LIMITS');

/** Fields of a receipt that a wallet signs together with the hash of its content. */
export type ReceiptSummary = Parameters<typeof receiptTypedData>[0];

/** A request to sign something that is no receipt of the job. Nothing was signed. */
export class ReceiptPolicyError extends RequestFailure {
  constructor(rule: string) {
    super('RECEIPT_REFUSED', `Refused to sign a receipt: ${rule}`);
  }
}

/** The only code that signs with the keys of wallets: policy first, then the key. Source: design § 5. */
@Injectable()
export class JobWalletSigner {
  constructor(
    @Inject(KEYRING) private readonly keyring: SeedKeyring,
    @Inject(POLICY_LIMITS) private readonly limits: PolicyLimits,
    private readonly clock: Clock,
    private readonly metrics: MakerMetrics,
  ) {}

  /**
   * Signs a planned transaction at a nonce.
   * @param execution the execution that will be stored together with the transaction
   * @throws PolicyViolationError before anything is signed
   */
  async sign(execution: Execution, plan: PlannedTransaction, nonce: number): Promise<TransactionRecord> {
    const { valueWei: _value, maxFeePerGasWei: _fee, maxPriorityFeePerGasWei: _tip, ...kept } = plan;
    return {
      ...kept,
      jobId: execution.id,
      state: 'signed',
      chainId: this.limits.chainId,
      sender: execution.walletAddress,
      nonce,
      attempts: [await this.attempt(execution, plan, nonce)],
      inclusion: null,
      reversals: 0,
      createdAt: new Date(this.clock.now()),
    };
  }

  /** Signs other bytes at a stuck transaction's nonce. @throws PolicyViolationError */
  signReplacement(execution: Execution, transaction: TransactionRecord, replacement: Replacement): Promise<Attempt> {
    const nothing = { to: transaction.sender, data: '0x' as const, gasLimit: Number(PLAIN_TRANSFER_GAS) };
    const plan = { ...transaction, ...(replacement.isVoid ? nothing : {}), ...replacement };
    return this.attempt(execution, plan, transaction.nonce, transaction);
  }

  /** Address of the wallet at an index of the seed. */
  addressOf(walletIndex: number): Address {
    return this.keyring.wallet(walletIndex).address;
  }

  /** Proves the seed by its first wallet. Source: docs/adr/0096. */
  proveSeed(challenge: Hash): Promise<Hex> {
    return this.keyring.wallet(0).signTypedData(seedProofTypedData(challenge));
  }

  /** Signs a transfer of a wallet's HYPE on HyperCore. The caller checks who may receive it. */
  signSpotSend(walletIndex: number, send: Parameters<WalletSigner['signSpotSend']>[0]): Promise<SignedSpotSend> {
    return this.keyring.wallet(walletIndex).signSpotSend(send);
  }

  /**
   * Signs a job's own receipt. This and the proof of the seed are the only typed data that a wallet signs. The domain names this
   * chain and the wallet itself, which is no contract, so that no exchange or token accepts the signature as a permission.
   * Source: design §§ 2.6 and 5. @param contentHash of the receipt with its orders @throws ReceiptPolicyError
   */
  async signReceipt(execution: Execution, head: ReceiptSummary, contentHash: Hash): Promise<Hex> {
    const signer = this.keyring.wallet(execution.walletIndex);
    const demand = (holds: boolean, rule: string) => {
      if (!holds) throw new ReceiptPolicyError(rule);
    };
    demand(isAddressEqual(signer.address, execution.walletAddress), "the signer is not the job's wallet");
    demand(isAddressEqual(head.wallet, execution.walletAddress), 'it names another wallet');
    demand(head.chainId === this.limits.chainId, 'the chain id is not the configured one');
    demand(head.jobId === execution.id, 'it names another job');
    demand(head.state === 'interim' || execution.endedAt !== null, 'the job has not ended');
    return signer.signTypedData(receiptTypedData(head, contentHash));
  }

  private async attempt(
    execution: Execution,
    plan: PlannedTransaction & Pick<Attempt, 'isVoid'>,
    nonce: number,
    replaces?: TransactionRecord,
  ): Promise<Attempt> {
    const { purpose, to, data, valueWei, gasLimit, maxFeePerGasWei, maxPriorityFeePerGasWei } = plan;
    const unsigned: UnsignedTransaction = {
      chainId: this.limits.chainId,
      nonce,
      to,
      data,
      valueWei,
      gas: BigInt(gasLimit),
      maxFeePerGasWei,
      maxPriorityFeePerGasWei,
    };
    try {
      const signer = this.keyring.wallet(execution.walletIndex);
      assertMaySign(purpose, unsigned, execution, signer.address, this.limits, replaces);
      const { rawTransaction, hash } = await signer.signTransaction(unsigned);
      const attempt = { hash, rawTransaction, valueWei, maxFeePerGasWei, maxPriorityFeePerGasWei };
      return plan.isVoid ? { ...attempt, isVoid: true } : attempt;
    } catch (error) {
      this.metrics.signingError(purpose);
      throw error;
    }
  }
}
