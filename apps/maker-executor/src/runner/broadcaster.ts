import { broadcastToAll, classifyBroadcastError } from '@maker/chain';
import { currentAttempt, type TransactionRecord } from '@maker/execution-records';
import { inSpan, Logger, type Origin, PeriodicTask } from '@maker/service-kit';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ChainAccess } from '../chain/chain-access.ts';
import { MakerDatabase } from '../database.ts';
import { MakerMetrics } from '../metrics/maker.metrics.ts';
import type { Broadcast } from '../session/session.ts';

/** Time between two notes, ms. An accepted transaction waits for the second one: most are in a block by then and need none. */
const NOTE_PAUSE_MS = 1500;

type NodeAnswer = Broadcast['answer'];

/**
 * Broadcasts saved bytes unchanged, as often as needed. Blocks show whether the chain accepted them, not the node's
 * answer. Source: design § 5.
 */
@Injectable()
export class Broadcaster implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly noting: PeriodicTask;
  private accepted: string[] = [];
  private acceptedBefore: string[] = [];

  constructor(
    private readonly chain: ChainAccess,
    private readonly metrics: MakerMetrics,
    private readonly logger: Logger,
    database: MakerDatabase,
  ) {
    this.noting = new PeriodicTask('note broadcasts', NOTE_PAUSE_MS, logger, async () => {
      const due = this.acceptedBefore;
      [this.acceptedBefore, this.accepted] = [this.accepted, []];
      await database.transactions.markBroadcast(due);
    });
  }

  onApplicationBootstrap(): void {
    this.noting.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.noting.stop();
  }

  /** Records later that nodes accepted transactions. Only for readers: no decision depends on it, so a crash may lose a record. */
  note(ids: readonly string[]): void {
    this.accepted.push(...ids);
  }

  /**
   * Sends the current bytes of transactions in the order of their nonces. Stops at the first one that no endpoint answered:
   * later nonces could not be mined anyway.
   * @param before the last answer to each, by id, so that a refusal is logged once
   * @returns the answers, for as many as were sent
   */
  async broadcast(
    transactions: readonly TransactionRecord[],
    origin: Origin = {},
    before: Readonly<Record<string, Broadcast>> = {},
  ): Promise<readonly NodeAnswer[]> {
    const answers: NodeAnswer[] = [];
    for (const transaction of transactions) {
      const last = before[transaction.id];
      const lastAnswer = last?.hash === currentAttempt(transaction).hash ? last.answer : undefined;
      const answer = await this.traced(transaction, origin, lastAnswer);
      answers.push(answer);
      if (answer === 'unavailable') break;
    }
    return answers;
  }

  /** Sends the saved bytes of all transactions again, for any answers, and changes no stored state. */
  async again(transactions: readonly TransactionRecord[]): Promise<readonly NodeAnswer[]> {
    const answers: NodeAnswer[] = [];
    for (const transaction of transactions) answers.push(await this.traced(transaction, {}, undefined));
    return answers;
  }

  private traced(transaction: TransactionRecord, origin: Origin, before: NodeAnswer | undefined): Promise<NodeAnswer> {
    const { jobId, purpose, nonce } = transaction;
    const { hash } = currentAttempt(transaction);
    const attributes = {
      'maker.job.id': jobId,
      'maker.transaction.purpose': purpose,
      'maker.transaction.hash': hash,
      'maker.transaction.nonce': nonce,
    };
    return inSpan('broadcast transaction', { kind: 'CLIENT', origin, attributes }, async (span) => {
      const answer = await this.send(transaction, before);
      this.metrics.broadcast(answer);
      span?.setAttribute('maker.broadcast.answer', answer);
      if (answer === 'accepted') this.logger.info({ jobId, purpose, nonce, hash }, 'transaction sent');
      return answer;
    });
  }

  private async send(transaction: TransactionRecord, before: NodeAnswer | undefined): Promise<NodeAnswer> {
    const { rawTransaction: serializedTransaction, hash } = currentAttempt(transaction);
    try {
      // The first host may have withheld the transaction.
      if (transaction.state !== 'signed') await broadcastToAll(this.chain.client, serializedTransaction);
      else await this.chain.client.sendRawTransaction({ serializedTransaction });
      return 'accepted';
    } catch (error) {
      const answer = classifyBroadcastError(error);
      const { jobId, purpose, nonce } = transaction;
      const line = { err: error, answer, jobId, purpose, nonce, hash };
      // Logged once, because it is sent again every few blocks.
      if ((answer === 'unfunded' || answer === 'refused') && answer !== before)
        this.logger.error(line, 'transaction refused by a node');
      else this.logger.debug(line, 'transaction not accepted as new');
      return answer;
    }
  }
}
