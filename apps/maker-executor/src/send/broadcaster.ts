import { inSpan, Logger, type Origin } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { Hash } from 'viem';
import { ChainAccess } from '../chain/chain-access.ts';
import { ExecutionWriter } from '../execution/execution-writer.ts';
import type { LeasedExecution } from '../execution/leased-execution.ts';
import { MakerMetrics } from '../metrics/maker.metrics.ts';
import { type BroadcastAnswer, classifyBroadcastError } from '../transaction/broadcast-answer.ts';
import { currentAttempt, type TransactionRecord } from '../transaction/transaction.ts';
import { TransactionsRepository } from '../transaction/transactions.repository.ts';

/**
 * Hands saved bytes to the chain, as often as needed and always the same. Whether they were taken is decided by
 * blocks, not by the node's answer. Source: design § 5.
 */
@Injectable()
export class Broadcaster {
  /** Height at which this process last sent a transaction's bytes, by transaction id. */
  private readonly sentAt = new Map<string, number>();
  /** The last answer to a transaction's bytes, by their hash. */
  private readonly answers = new Map<Hash, 'accepted' | BroadcastAnswer>();

  constructor(
    private readonly chain: ChainAccess,
    private readonly writer: ExecutionWriter,
    private readonly transactions: TransactionsRepository,
    private readonly metrics: MakerMetrics,
    private readonly logger: Logger,
  ) {}

  /** Height of the last broadcast; undefined where this process has sent none, or the node's answer means that the receipt is to be asked for. */
  sentAtBlock(transaction: TransactionRecord): number | undefined {
    return this.sentAt.get(transaction.id);
  }

  /** The transaction is in a block: nothing is remembered of it. */
  forget(transaction: TransactionRecord): void {
    this.sentAt.delete(transaction.id);
    for (const { hash } of transaction.attempts) this.answers.delete(hash);
  }

  /** Whether the current bytes were still waiting in a mempool when they were last sent again. */
  isWaiting(transaction: TransactionRecord): boolean {
    return this.answers.get(currentAttempt(transaction).hash) === 'known';
  }

  /** Whether the last node that was given the current bytes refused them as too cheap. */
  wasUnderpriced(transaction: TransactionRecord): boolean {
    return this.answers.get(currentAttempt(transaction).hash) === 'underpriced';
  }

  /**
   * Sends the current bytes of transactions in the order of their nonces and marks those that a node has.
   * Stops at the first that no endpoint could be asked about: what follows it could not be mined anyway.
   */
  async broadcast(leased: LeasedExecution, transactions: readonly TransactionRecord[]): Promise<LeasedExecution> {
    const taken: string[] = [];
    for (const transaction of transactions) {
      const answer = await this.traced(transaction, leased.execution.origin);
      if (answer === 'unavailable') break;
      if (answer === 'nonce_used') continue;
      this.sentAt.set(transaction.id, leased.head.number);
      if ((answer === 'accepted' || answer === 'known') && transaction.state === 'signed') taken.push(transaction.id);
    }
    if (taken.length === 0) return leased;
    const after = await this.writer.write(leased, {}, (session) =>
      this.transactions.enter(taken, 'broadcast', session),
    );
    return {
      ...after,
      open: after.open.map((transaction) =>
        taken.includes(transaction.id) ? { ...transaction, state: 'broadcast' as const } : transaction,
      ),
    };
  }

  /** Sends the saved bytes of transactions once more, which changes nothing that is saved. @returns the nodes' answers */
  async again(transactions: readonly TransactionRecord[]): Promise<readonly ('accepted' | BroadcastAnswer)[]> {
    const answers: ('accepted' | BroadcastAnswer)[] = [];
    for (const transaction of transactions) {
      const answer = await this.traced(transaction);
      answers.push(answer);
    }
    return answers;
  }

  private traced(transaction: TransactionRecord, origin: Origin = {}): Promise<'accepted' | BroadcastAnswer> {
    const { jobId, purpose, nonce } = transaction;
    const { hash } = currentAttempt(transaction);
    const attributes = {
      'maker.job.id': jobId,
      'maker.transaction.purpose': purpose,
      'maker.transaction.hash': hash,
      'maker.transaction.nonce': nonce,
    };
    return inSpan('broadcast transaction', { kind: 'CLIENT', origin, attributes }, async (span) => {
      const answer = await this.send(transaction);
      this.metrics.broadcast(answer);
      span?.setAttribute('maker.broadcast.answer', answer);
      if (answer === 'accepted') this.logger.info({ jobId, purpose, nonce, hash }, 'a transaction is sent');
      return answer;
    });
  }

  private async send(transaction: TransactionRecord): Promise<'accepted' | BroadcastAnswer> {
    const { rawTransaction: serializedTransaction, hash } = currentAttempt(transaction);
    const before = this.answers.get(hash);
    try {
      await this.chain.client.sendRawTransaction({ serializedTransaction });
      this.answers.set(hash, 'accepted');
      return 'accepted';
    } catch (error) {
      const answer = classifyBroadcastError(error);
      this.answers.set(hash, answer);
      const { jobId, purpose, nonce } = transaction;
      const line = { err: error, answer, jobId, purpose, nonce, hash };
      // Said once: it is sent again every few blocks.
      if ((answer === 'unfunded' || answer === 'refused') && answer !== before)
        this.logger.error(line, 'a node refused a transaction');
      else this.logger.debug(line, 'a node did not take a transaction as new');
      return answer;
    }
  }
}
