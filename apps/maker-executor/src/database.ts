import {
  CommandLog,
  ExecutionsRepository,
  FactsRepository,
  LedgerRepository,
  OrdersRepository,
  PausesRepository,
  RefundsRepository,
  TransactionsRepository,
} from '@maker/execution-records';
import { Connection, onCommit } from '@maker/persistence';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { SpotSendsRepository } from './command/spot-sends.repository.ts';

/** The collections of maker-executor in MongoDB. */
@Injectable()
export class MakerDatabase {
  readonly executions: ExecutionsRepository;
  readonly facts: FactsRepository;
  readonly transactions: TransactionsRepository;
  readonly orders: OrdersRepository;
  readonly ledger: LedgerRepository;
  readonly refunds: RefundsRepository;
  readonly pauses: PausesRepository;
  readonly commands: CommandLog;
  readonly spotSends: SpotSendsRepository;

  /** Sessions of transactions that brought work to an execution. */
  private readonly brought = new WeakSet<ClientSession>();

  constructor(readonly connection: Connection) {
    this.executions = new ExecutionsRepository(connection, (session) => this.brought.add(session));
    this.facts = new FactsRepository(connection, (session) => this.brought.add(session));
    this.transactions = new TransactionsRepository(connection);
    this.orders = new OrdersRepository(connection);
    this.ledger = new LedgerRepository(connection);
    this.refunds = new RefundsRepository(connection);
    this.pauses = new PausesRepository(connection);
    this.commands = new CommandLog(connection);
    this.spotSends = new SpotSendsRepository(connection);
  }

  /** Calls a listener after each transaction of this process that began an execution or told a fact. */
  onWork(listener: () => void): void {
    onCommit(this.connection, (session) => {
      if (this.brought.has(session)) listener();
    });
  }
}
