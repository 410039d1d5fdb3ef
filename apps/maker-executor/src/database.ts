import { ExecutionRecords } from '@maker/execution-records';
import { Connection, onCommit } from '@maker/persistence';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { SpotSendsRepository } from './command/spot-sends.repository.ts';
import { GasLimiter } from './wallet/gas-limiter.ts';

/** The collections of maker-executor in MongoDB. */
@Injectable()
export class MakerDatabase extends ExecutionRecords implements OnModuleInit {
  readonly spotSends: SpotSendsRepository;
  readonly gasLimiter: GasLimiter;

  /** Sessions of transactions that created an execution or recorded a fact. */
  private readonly withWork: WeakSet<ClientSession>;

  constructor(connection: Connection) {
    const withWork = new WeakSet<ClientSession>();
    super(connection, (session) => withWork.add(session));
    this.withWork = withWork;
    this.spotSends = new SpotSendsRepository(connection);
    this.gasLimiter = new GasLimiter(connection, this.transactions);
  }

  async onModuleInit(): Promise<void> {
    await this.gasLimiter.initialize();
  }

  /** Calls a listener after each transaction of this process that created an execution or recorded a fact. */
  onWork(listener: () => void): void {
    onCommit(this.connection, (session) => {
      if (this.withWork.has(session)) listener();
    });
  }
}
