import { type ConnectedChain, connectChain, HyperCoreApi } from '@maker/chain';
import { serviceModule } from '@maker/messaging';
import { Clock, Logger, Readiness } from '@maker/service-kit';
import { SeedKeyring } from '@maker/signing/private';
import type { DynamicModule } from '@nestjs/common';
import { ChainAccess } from './chain/chain-access.ts';
import { HeadFeed } from './chain/head-feed.ts';
import { sparingPace } from './chain/sparing-pace.ts';
import { EndedWalletsCheck } from './check-ledger/ended-wallets-check.ts';
import { LedgerCheck } from './check-ledger/ledger-check.ts';
import { MAKER_CONFIGURATION, type MakerConfiguration } from './configuration.ts';
import { Deliver } from './deliver/deliver.ts';
import { ExecutionWriter } from './execution/execution-writer.ts';
import { ExecutionsRepository } from './execution/executions.repository.ts';
import { WalletClaims } from './execution/wallet-claims.ts';
import { DatabaseGauges } from './gauges/database-gauges.ts';
import { LedgerRepository } from './ledger/ledger.repository.ts';
import { MakerMetrics } from './metrics/maker.metrics.ts';
import { CarryOutCommandHandler } from './operate/carry-out-command.handler.ts';
import { CommandLog } from './operate/command-log.repository.ts';
import { OperatorHandler } from './operate/operator.handler.ts';
import { ReconcileJobHandler } from './operate/reconcile-job.handler.ts';
import { ReleaseFunds } from './operate/release-funds.ts';
import { ReturnFromHyperCore } from './operate/return-from-hypercore.ts';
import { OrdersRepository } from './order/orders.repository.ts';
import { OperatorPauses } from './pause/operator-pauses.ts';
import { PauseControl } from './pause/pause-control.ts';
import { PausesRepository } from './pause/pauses.repository.ts';
import { PayFee } from './pay-fee/pay-fee.ts';
import { OrderMarket } from './place-orders/order-market.ts';
import { PlaceOrders } from './place-orders/place-orders.ts';
import { ReceiptHandler } from './receipt/receipt.handler.ts';
import { SignedReceiptHandler } from './receipt/signed-receipt.handler.ts';
import { SignedReceipts } from './receipt/signed-receipts.ts';
import { CreditedDeposits } from './refund/credited-deposits.ts';
import { RefundsRepository } from './refund/refunds.repository.ts';
import { RefundDueHandler } from './refund-deposits/refund-due.handler.ts';
import { SendRefunds } from './refund-deposits/send-refunds.ts';
import { SettleEnded } from './refund-deposits/settle-ended.ts';
import { SettleRest } from './refund-deposits/settle-rest.ts';
import { SurplusExplained } from './refund-deposits/surplus-explained.ts';
import { EndExecution } from './return-rest/end-execution.ts';
import { EndLateExecution } from './return-rest/end-late-execution.ts';
import { EndStoppedExecution } from './return-rest/end-stopped-execution.ts';
import { ReturnRest } from './return-rest/return-rest.ts';
import { SurplusPatience } from './return-rest/surplus-patience.ts';
import { ExecutionTick } from './run-execution/execution-tick.ts';
import { WalletOwner } from './run-execution/wallet-owner.ts';
import { BlockShare } from './send/block-share.ts';
import { Broadcaster } from './send/broadcaster.ts';
import { HYPERCORE_API, HyperCoreSender } from './send/hypercore-sender.ts';
import type { PolicyLimits } from './send/policy.ts';
import { ReceiptSigner } from './send/receipt-signer.ts';
import { SpotSendsRepository } from './send/spot-sends.repository.ts';
import { KEYRING, POLICY_LIMITS, TransactionSender } from './send/transaction-sender.ts';
import { StartExecutionHandler } from './start-execution/start-execution.handler.ts';
import { LostTransactions } from './track-transactions/lost-transactions.ts';
import { ReceiptFinder } from './track-transactions/receipt-finder.ts';
import { ReorgWatch } from './track-transactions/reorg-watch.ts';
import { TransactionTracker } from './track-transactions/transaction-tracker.ts';
import { TransactionsRepository } from './transaction/transactions.repository.ts';

/** Name of this service: its queue group, its durable consumer, its label in logs and metrics. */
export const SERVICE = 'maker-executor';

/** A head older than this means that the endpoints do not answer, ms. */
const STALE_HEAD_MS = 60_000;

/**
 * What the maker may use of an endpoint's limit unless the environment says otherwise; the rest is for payment-watcher and
 * token-validation, so that all of them together stay within it.
 */
const USUAL_SHARE_PERCENT = 14;

/** The maker-executor, wired. */
export function makerModule(configuration: MakerConfiguration, logger: Logger): DynamicModule {
  return serviceModule(SERVICE, configuration, logger, {
    mongoUrl: configuration.MONGO_URL,
    events: SERVICE,
    controllers: [ReceiptHandler, SignedReceiptHandler, OperatorHandler, CarryOutCommandHandler, ReconcileJobHandler],
    providers: [
      { provide: MAKER_CONFIGURATION, useValue: configuration },
      {
        provide: KEYRING,
        useFactory: () => SeedKeyring.fromFile(configuration.MAKER_SEED_FILE, configuration.MAKER_SEED_PASSPHRASE_FILE),
      },
      {
        provide: ChainAccess,
        inject: [MakerMetrics, Logger],
        useFactory: async (metrics: MakerMetrics, log: Logger) =>
          new ChainAccess(await connect(configuration, metrics, log)),
      },
      {
        provide: POLICY_LIMITS,
        inject: [ChainAccess],
        useFactory: ({ network, market }: ChainAccess): PolicyLimits => ({
          chainId: network.chainId,
          treasury: configuration.MAKER_TREASURY_ADDRESS,
          // Read anew each time: an exchange may be set aside, or come back.
          get routers() {
            return market.exchanges.map(({ router }) => router);
          },
        }),
      },
      {
        provide: HeadFeed,
        inject: [ChainAccess, Logger, Clock, Readiness],
        useFactory: ({ client, network, limits }: ChainAccess, log: Logger, clock: Clock, readiness: Readiness) => {
          const feed = new HeadFeed(client, log, () => clock.now(), sparingPace(limits, network));
          readiness.add('chain', () => {
            const age = clock.now() - feed.seenAtMs;
            if (age > STALE_HEAD_MS) throw new Error('no block was read for a minute');
          });
          return feed;
        },
      },
      MakerMetrics,
      DatabaseGauges,
      ExecutionsRepository,
      TransactionsRepository,
      OrdersRepository,
      LedgerRepository,
      RefundsRepository,
      OperatorPauses,
      PausesRepository,
      CommandLog,
      ReleaseFunds,
      ExecutionWriter,
      Broadcaster,
      TransactionSender,
      {
        provide: HYPERCORE_API,
        useValue: configuration.HYPERCORE_API_URL ? new HyperCoreApi(configuration.HYPERCORE_API_URL) : undefined,
      },
      HyperCoreSender,
      ReturnFromHyperCore,
      SpotSendsRepository,
      ReceiptSigner,
      SignedReceipts,
      ReceiptFinder,
      TransactionTracker,
      LostTransactions,
      ReorgWatch,
      PauseControl,
      LedgerCheck,
      OrderMarket,
      BlockShare,
      PayFee,
      PlaceOrders,
      Deliver,
      SurplusPatience,
      CreditedDeposits,
      SurplusExplained,
      SendRefunds,
      SettleRest,
      SettleEnded,
      EndExecution,
      EndLateExecution,
      EndStoppedExecution,
      ReturnRest,
      ExecutionTick,
      WalletOwner,
      { provide: WalletClaims, useExisting: WalletOwner },
      StartExecutionHandler,
      RefundDueHandler,
      EndedWalletsCheck,
    ],
  });
}

function connect(configuration: MakerConfiguration, metrics: MakerMetrics, logger: Logger): Promise<ConnectedChain> {
  return connectChain(configuration, {
    ...metrics.rpc.observer(logger),
    ...metrics.exchanges.listener(logger),
    sharePercent: USUAL_SHARE_PERCENT,
    broadcasts: true,
    onUnavailable: (error, attempt) => logger.warn({ err: error, attempt }, 'the chain is not reachable yet'),
  });
}
