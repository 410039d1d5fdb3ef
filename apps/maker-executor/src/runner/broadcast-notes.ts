import { Logger, PeriodicTask } from '@maker/service-kit';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { MakerDatabase } from '../database.ts';

/** Between two notes, ms. What a node took waits for the second one: most of it is in a block by then and needs none. */
const PAUSE_MS = 1500;

/** Notes that nodes took transactions. For readers alone: nothing depends on it, so that one lost with a process is no fault. */
@Injectable()
export class BroadcastNotes implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly noting: PeriodicTask;
  private taken: string[] = [];
  private takenBefore: string[] = [];

  constructor(database: MakerDatabase, logger: Logger) {
    this.noting = new PeriodicTask('note broadcasts', PAUSE_MS, logger, async () => {
      const due = this.takenBefore;
      [this.takenBefore, this.taken] = [this.taken, []];
      await database.transactions.markBroadcast(due);
    });
  }

  onApplicationBootstrap(): void {
    this.noting.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.noting.stop();
  }

  add(ids: readonly string[]): void {
    this.taken.push(...ids);
  }
}
