import { setTimeout as wait } from 'node:timers/promises';
import { Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import { Clock, Logger } from '@maker/service-kit';
import { indexInSeries, WALLETS_IN_SERIES } from '@maker/signing/derivation';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { JobsRepository } from '../job/jobs.repository.ts';

/** Number of a series: seconds since this time. */
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
 * Assigns a wallet index to each job. A restored database lacks indexes that it assigned after the backup, so its counter is
 * not enough. Each process counts within its own series, whose number is the second after its start. Only the first process
 * of a new database uses the counter. Source: docs/adr/0066.
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

  /** Begins early, so that no visitor waits for a series. If it fails, the first job takes one. */
  onApplicationBootstrap(): void {
    if (!this.jobs.countsAnew) void this.current().catch(() => undefined);
  }

  /**
   * Returns the wallet index of a new job. An index may stay unused, and is never returned twice.
   * @param counted index of this job by the database's counter
   */
  async next(counted: number): Promise<number> {
    if (this.series === undefined && this.jobs.countsAnew && counted > this.highest) return counted;
    const series = await this.current();
    if (series.next < WALLETS_IN_SERIES) return indexInSeries(series.number, series.next++);
    this.series = undefined;
    const another = await this.current();
    return indexInSeries(another.number, another.next++);
  }

  /** Records the index of a written job. If the counter names it again, the database was restored. */
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

  /** Takes the series of a future second: no ended process has used it, even if the database was restored. */
  private async take(): Promise<Series> {
    const coming = Math.max(1, Math.ceil((this.clock.now() - EPOCH_MS) / 1000));
    const number = await this.takeFrom(coming);
    await wait(Math.max(0, EPOCH_MS + number * 1000 - this.clock.now()));
    this.logger.info({ series: number }, 'wallet series taken');
    return { number, next: 0 };
  }

  /** Takes a series that no other process of this database has. @param least smallest allowed number */
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
