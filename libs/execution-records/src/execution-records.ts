import type { Connection } from '@maker/persistence';
import type { ClientSession } from 'mongoose';
import { CommandLog } from './command/command-log.repository.ts';
import { ExecutionsRepository } from './execution/executions.repository.ts';
import { FactsRepository } from './fact/facts.repository.ts';
import { LedgerRepository } from './ledger/ledger.repository.ts';
import { OrdersRepository } from './order/orders.repository.ts';
import { PausesRepository } from './pause/pauses.repository.ts';
import { RefundsRepository } from './refund/refunds.repository.ts';
import { TransactionsRepository } from './transaction/transactions.repository.ts';

/** The collections of maker-executor's database with its work for jobs. */
export class ExecutionRecords {
  readonly executions: ExecutionsRepository;
  readonly facts: FactsRepository;
  readonly transactions: TransactionsRepository;
  readonly orders: OrdersRepository;
  readonly ledger: LedgerRepository;
  readonly refunds: RefundsRepository;
  readonly pauses: PausesRepository;
  readonly commands: CommandLog;

  /** @param onWork called with each transaction that inserts an execution or records a fact */
  constructor(
    readonly connection: Connection,
    onWork?: (session: ClientSession) => void,
  ) {
    this.executions = new ExecutionsRepository(connection, onWork);
    this.facts = new FactsRepository(connection, onWork);
    this.transactions = new TransactionsRepository(connection);
    this.orders = new OrdersRepository(connection);
    this.ledger = new LedgerRepository(connection);
    this.refunds = new RefundsRepository(connection);
    this.pauses = new PausesRepository(connection);
    this.commands = new CommandLog(connection);
  }
}
