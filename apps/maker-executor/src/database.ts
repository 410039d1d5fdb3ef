import { ExecutionRecords } from '@maker/execution-records';
import { Connection, onCommit } from '@maker/persistence';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { SpotSendsRepository } from './command/spot-sends.repository.ts';

/** The collections of maker-executor in MongoDB. */
@Injectable()
export class MakerDatabase extends ExecutionRecords {
  readonly spotSends: SpotSendsRepository;

  /** Sessions of transactions that brought work to an execution. */
  private readonly brought: WeakSet<ClientSession>;

  constructor(connection: Connection) {
    const brought = new WeakSet<ClientSession>();
    super(connection, (session) => brought.add(session));
    this.brought = brought;
    this.spotSends = new SpotSendsRepository(connection);
  }

  /** Calls a listener after each transaction of this process that began an execution or told a fact. */
  onWork(listener: () => void): void {
    onCommit(this.connection, (session) => {
      if (this.brought.has(session)) listener();
    });
  }
}
