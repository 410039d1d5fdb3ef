import { ExecutionRecords } from '@maker/execution-records';
import { serviceModule } from '@maker/messaging';
import { Connection } from '@maker/persistence';
import type { DynamicModule } from '@nestjs/common';
import type { Logger } from 'pino';
import { RECEIPTS_CONFIGURATION, type ReceiptsConfiguration } from './configuration.ts';
import { OperatorQueriesHandler } from './operator/operator-queries.handler.ts';
import { OrderPages } from './order/order-pages.ts';
import { OrdersHandler } from './order/orders.handler.ts';
import { ReceiptHandler } from './receipt/receipt.handler.ts';
import { SignedReceiptHandler } from './signed-receipt/signed-receipt.handler.ts';
import { SignedReceiptsRepository } from './signed-receipt/signed-receipts.repository.ts';
import { SignedReceipts } from './signed-receipt/signed-receipts.ts';

/** Name of this service: its queue group and its label in logs and metrics. */
export const SERVICE = 'receipts';

/** Database of maker-executor on the server of `MONGO_URL`. This service's user may only read it. Tests have another. */
const EXECUTOR_DATABASE = 'maker_executor';

export function receiptsModule(
  configuration: ReceiptsConfiguration,
  logger: Logger,
  executorDatabase = EXECUTOR_DATABASE,
): DynamicModule {
  return serviceModule(SERVICE, configuration, logger, {
    mongoUrl: configuration.MONGO_URL,
    controllers: [ReceiptHandler, OrdersHandler, SignedReceiptHandler, OperatorQueriesHandler],
    providers: [
      { provide: RECEIPTS_CONFIGURATION, useValue: configuration },
      {
        provide: ExecutionRecords,
        inject: [Connection],
        // Separate models on the same sockets: only maker-executor creates the indexes of that database.
        useFactory: (connection: Connection) =>
          new ExecutionRecords(connection.useDb(executorDatabase, { useCache: true })),
      },
      OrderPages,
      SignedReceiptsRepository,
      SignedReceipts,
    ],
  });
}
