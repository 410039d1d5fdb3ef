import { setTimeout as wait } from 'node:timers/promises';
import { Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import { Clock, Logger } from '@maker/service-kit';
import { indexInSeries, WALLETS_IN_SERIES } from '@maker/signing/derivation';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { JobsRepository } from '../job/jobs.repository.ts';

/** Series are seconds since then. */
const EPOCH_MS = Date.UTC(2026, 0, 1);

interface LastSeries {
  readonly id: string;
  readonly series: number;
}

const schema = new EntitySchema<LastSeries>('wallet_series', { series: Number });

const LAST = 'last';

interface Series {
  readonly number: number;
  next: number;
}

/**
 * Gives each job a wallet index. A database that was restored has forgotten which addresses it gave away, so that its counter is
 * not enough: each process counts within a series of its own, which is named by the second after its start. Only the first process
 * of a new database counts from the beginning. Source: docs/adr/0066.
 */
@Injectable()
export class WalletIndexesService implements OnApplicationBootstrap {
  private readonly last: EntityCollection<LastSeries>;
  private series: Promise<Series> | undefined;
  private highest = -1;

  constructor(
    connection: Connection,
    private readonly jobs: JobsRepository,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {
    this.last = new EntityCollection(connection, schema);
  }

  /** Begins early, so that no visitor waits for it; where it fails, the first job takes one. */
  onApplicationBootstrap(): void {
    if (!this.jobs.countsAnew) void this.current().catch(() => undefined);
  }

  /**
   * The wallet index of a new job. It may be lost, and never comes twice.
   * @param counted where the database's counter stands for this job
   */
  async next(counted: number): Promise<number> {
    if (this.series === undefined && this.jobs.countsAnew && counted > this.highest) return counted;
    const series = await this.current();
    if (series.next < WALLETS_IN_SERIES) return indexInSeries(series.number, series.next++);
    this.series = undefined;
    const another = await this.current();
    return indexInSeries(another.number, another.next++);
  }

  /** A job with this index was written: where the counter stands at it again, the database was restored. */
  given(walletIndex: number): void {
    this.highest = Math.max(this.highest, walletIndex);
  }

  private current(): Promise<Series> {
    this.series ??= this.take().catch((error: unknown) => {
      this.series = undefined;
      throw error;
    });
    return this.series;
  }

  /** A series of a second that is still to come is of no process that ended, whatever the database has forgotten. */
  private async take(): Promise<Series> {
    const coming = Math.max(1, Math.ceil((this.clock.now() - EPOCH_MS) / 1000));
    const number = await this.takeFrom(coming);
    await wait(Math.max(0, EPOCH_MS + number * 1000 - this.clock.now()));
    this.logger.info({ series: number }, 'wallet series taken');
    return { number, next: 0 };
  }

  /** Takes a series that no other process of this database took. @param least the smallest that may be taken */
  private async takeFrom(least: number): Promise<number> {
    const next = { $max: [least, { $add: [{ $ifNull: ['$series', 0] }, 1] }] };
    const row = await this.last.rows
      .findOneAndUpdate({ _id: LAST }, [{ $set: { series: next } }], {
        upsert: true,
        returnDocument: 'after',
        updatePipeline: true,
      })
      .lean<LastSeries>();
    if (!row) throw new Error('An upsert gave no document');
    return row.series;
  }
}
