import { Logger, PeriodicTask } from '@maker/service-kit';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { MakerDatabase } from '../database.ts';

/** Time between two writes, ms. An accepted transaction waits for the second one: most are in a block by then and need none. */
const PAUSE_MS = 1500;

/** Records that nodes accepted transactions. Only for readers: no decision depends on it, so a crash may lose a record. */
@Injectable()
export class BroadcastNotes implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly writing: PeriodicTask;
  private accepted: string[] = [];
  private acceptedBefore: string[] = [];

  constructor(database: MakerDatabase, logger: Logger) {
    this.writing = new PeriodicTask('note broadcasts', PAUSE_MS, logger, async () => {
      const due = this.acceptedBefore;
      [this.acceptedBefore, this.accepted] = [this.accepted, []];
      await database.transactions.markBroadcast(due);
    });
  }

  onApplicationBootstrap(): void {
    this.writing.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.writing.stop();
  }

  add(ids: readonly string[]): void {
    this.accepted.push(...ids);
  }
}
