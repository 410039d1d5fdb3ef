import { PLAIN_TRANSFER_GAS } from '@maker/rules';
import { Clock, inSpan, Logger } from '@maker/service-kit';
import type { SeedKeyring, UnsignedTransaction } from '@maker/signing/private';
import { Inject, Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { ChainAccess } from '../chain/chain-access.ts';
import { ExecutionWriter } from '../execution/execution-writer.ts';
import type { ExecutionChange } from '../execution/executions.repository.ts';
import type { LeasedExecution } from '../execution/leased-execution.ts';
import { MakerMetrics } from '../metrics/maker.metrics.ts';
import type { Attempt, PlannedTransaction, TransactionRecord } from '../transaction/transaction.ts';
import { TransactionsRepository } from '../transaction/transactions.repository.ts';
import { BlockShare } from './block-share.ts';
import { Broadcaster } from './broadcaster.ts';
import { assertMaySign, type PolicyLimits } from './policy.ts';
import type { Replacement } from './replacement.ts';

/** Injection token of the seed's keyring. Only this folder signs with it; start-execution compares an address. */
export const KEYRING = Symbol('KEYRING');

/** Injection token of the {@link PolicyLimits}. */
export const POLICY_LIMITS = Symbol('POLICY_LIMITS');

/** What is written in the transaction that reserves the nonces. */
export interface WrittenAlongside {
  readonly change?: ExecutionChange;
  readonly write?: (session: ClientSession) => Promise<void>;
}

/** The one way from a plan to the chain: policy, signature, saved, broadcast. Source: design § 5. */
@Injectable()
export class TransactionSender {
  constructor(
    @Inject(KEYRING) private readonly keyring: SeedKeyring,
    @Inject(POLICY_LIMITS) private readonly limits: PolicyLimits,
    private readonly chain: ChainAccess,
    private readonly writer: ExecutionWriter,
    private readonly transactions: TransactionsRepository,
    private readonly share: BlockShare,
    private readonly broadcaster: Broadcaster,
    private readonly clock: Clock,
    private readonly metrics: MakerMetrics,
    private readonly logger: Logger,
  ) {}

  /**
   * Signs planned transactions at the wallet's next nonces, saves them together with what belongs to them, and
   * broadcasts them in order. What is no order waits for room in its minute; orders come when they have found theirs.
   * @returns the execution as it was where nothing is sent yet
   * @throws PolicyViolationError before anything is signed; LeaseLostError before anything is sent
   */
  async send(
    leased: LeasedExecution,
    planned: readonly PlannedTransaction[],
    alongside: WrittenAlongside = {},
  ): Promise<LeasedExecution> {
    const { id, origin = {} } = leased.execution;
    const attributes = { 'maker.job.id': id, 'maker.transactions': planned.length };
    const send = () =>
      inSpan('send transactions', { origin, attributes }, () => this.signAndSend(leased, planned, alongside));
    const others = planned.filter(({ purpose }) => purpose !== 'order');
    if (others.length === 0) return send();
    const gasLimit = others.reduce((sum, other) => sum + other.gasLimit, 0);
    return (await this.share.whenRoom(leased, gasLimit, send)) ?? leased;
  }

  private async signAndSend(
    leased: LeasedExecution,
    planned: readonly PlannedTransaction[],
    { change = {}, write }: WrittenAlongside,
  ): Promise<LeasedExecution> {
    const firstNonce = await this.nextNonce(leased);
    const records: TransactionRecord[] = [];
    for (const [index, plan] of planned.entries()) records.push(await this.signNew(leased, plan, firstNonce + index));
    const saved = await this.writer.write(leased, change, async (session) => {
      await this.transactions.insert(records, session);
      await write?.(session);
    });
    return this.broadcaster.broadcast({ ...saved, open: [...saved.open, ...records] }, records);
  }

  /** Signs other bytes at a stuck transaction's nonce, saves them and broadcasts them. */
  async replace(
    leased: LeasedExecution,
    transaction: TransactionRecord,
    replacement: Replacement,
  ): Promise<LeasedExecution> {
    const nothing = { to: transaction.sender, data: '0x' as const, gasLimit: Number(PLAIN_TRANSFER_GAS) };
    const plan = { ...transaction, ...(replacement.isVoid ? nothing : {}), ...replacement };
    const attempt = await this.sign(leased, plan, transaction.nonce, transaction);
    const saved = await this.writer.write(leased, {}, (session) =>
      this.transactions.addAttempt(transaction.id, attempt, session),
    );
    this.metrics.replacement(transaction.purpose);
    this.logger.info(
      { jobId: transaction.jobId, purpose: transaction.purpose, nonce: transaction.nonce, hash: attempt.hash },
      'a stuck transaction is replaced at its nonce with a higher fee',
    );
    const replaced = { ...transaction, attempts: [...transaction.attempts, attempt] };
    const open = saved.open.map((candidate) => (candidate.id === transaction.id ? replaced : candidate));
    return this.broadcaster.broadcast({ ...saved, open }, [replaced]);
  }

  private async signNew(
    { execution }: LeasedExecution,
    plan: PlannedTransaction,
    nonce: number,
  ): Promise<TransactionRecord> {
    return {
      id: plan.id,
      jobId: execution.id,
      purpose: plan.purpose,
      state: 'signed',
      chainId: this.limits.chainId,
      sender: execution.walletAddress,
      nonce,
      to: plan.to,
      data: plan.data,
      gasLimit: plan.gasLimit,
      attempts: [await this.sign({ execution }, plan, nonce)],
      inclusion: null,
      ...(plan.terms && { terms: plan.terms }),
      reversals: 0,
      createdAt: new Date(this.clock.now()),
    };
  }

  private async sign(
    { execution }: Pick<LeasedExecution, 'execution'>,
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

  private async nextNonce({ execution }: LeasedExecution): Promise<number> {
    const highest = await this.transactions.highestNonce(this.limits.chainId, execution.walletAddress);
    return highest === undefined ? this.chain.usedNonces(execution.walletAddress) : highest + 1;
  }
}
