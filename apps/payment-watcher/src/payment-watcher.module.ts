import {
  BalanceReader,
  backgroundClientOf,
  backgroundRequestOf,
  HyperCoreApi,
  networkOf,
  type RpcRequest,
  rpcRequestOf,
} from '@maker/chain';
import { paymentSeenOnHyperCore, paymentTokensFound } from '@maker/contracts';
import { Outbox, serviceModule } from '@maker/messaging';
import { Connection, inTransaction } from '@maker/persistence';
import { Clock, Logger } from '@maker/service-kit';
import type { DynamicModule } from '@nestjs/common';
import { AnnounceDeadlineService } from './announce-deadline/announce-deadline.service.ts';
import { DepositDustService } from './announce-deadline/deposit-dust.service.ts';
import { BACKGROUND_CLIENT, BACKGROUND_REQUEST, CHAIN_CLIENT, CHAIN_REQUEST, chainClient } from './chain-client.ts';
import { ChainClockService } from './chain-clock/chain-clock.service.ts';
import { CloseWatchHandler } from './close-watch/close-watch.handler.ts';
import { PAYMENT_WATCHER_CONFIGURATION, type PaymentWatcherConfiguration } from './configuration.ts';
import { ConfirmDepositService } from './credit-deposit/confirm-deposit.service.ts';
import { CreditDepositService } from './credit-deposit/credit-deposit.service.ts';
import { CreditedDepositsHandler } from './credit-deposit/credited-deposits.handler.ts';
import { ResolveDisplacedService } from './credit-deposit/resolve-displaced.service.ts';
import { DepositsRepository } from './deposit/deposits.repository.ts';
import { DustRepository } from './deposit/dust.repository.ts';
import { PublishSeenService } from './deposit/publish-seen.service.ts';
import { FindWrongAssetsHandler } from './find-wrong-assets/find-wrong-assets.handler.ts';
import { HYPERCORE_API, HyperCoreQueries } from './find-wrong-assets/hypercore-queries.ts';
import { ScheduledSearch } from './find-wrong-assets/scheduled-search.ts';
import { TokenSearch, type TokensFound } from './find-wrong-assets/token-search.ts';
import { PaymentWatcherMetrics } from './payment-watcher.metrics.ts';
import { ExplainBalanceService } from './poll-balances/explain-balance.service.ts';
import { PollBalancesService } from './poll-balances/poll-balances.service.ts';
import { SearchTransfersService } from './poll-balances/search-transfers.service.ts';
import { RecordBlockService } from './record-block/record-block.service.ts';
import { RegisterWatchHandler } from './register-watch/register-watch.handler.ts';
import { CursorRepository } from './scan/cursor.repository.ts';
import { FencedWrites } from './scan/fenced-writes.ts';
import { ScanLoop, WRONG_ASSET_SEARCHES, type WrongAssetSearch } from './scan-loop.ts';
import { WatchesRepository } from './watch/watches.repository.ts';

/** Name of this service: its queue group, its durable consumer, its label in logs and metrics. */
export const SERVICE = 'payment-watcher';

/** HYPE on HyperCore and tokens, both by the same schedule. */
function wrongAssetSearches(
  clock: Clock,
  looks: HyperCoreQueries,
  tokens: TokenSearch,
  watches: WatchesRepository,
  connection: Connection,
  outbox: Outbox,
  logger: Logger,
): readonly WrongAssetSearch[] {
  const tellHyperCore = (jobId: string, amountWei: string, lookedAt: string) =>
    inTransaction(connection, (session) =>
      outbox.record(paymentSeenOnHyperCore, { jobId, data: { amountWei, lookedAt } }, session),
    );
  const tellTokens = (jobId: string, found: TokensFound, searchedAt: string) =>
    inTransaction(connection, (session) =>
      outbox.record(paymentTokensFound, { jobId, data: { tokens: [...found.tokens], searchedAt } }, session),
    );
  return [
    new ScheduledSearch(clock, looks.search, watches, tellHyperCore, logger),
    new ScheduledSearch<TokensFound>(clock, tokens, watches, tellTokens, logger),
  ];
}

/** The payment watcher, wired. */
export function paymentWatcherModule(configuration: PaymentWatcherConfiguration, logger: Logger): DynamicModule {
  return serviceModule(SERVICE, configuration, logger, {
    mongoUrl: configuration.MONGO_URL,
    events: SERVICE,
    controllers: [CreditedDepositsHandler, FindWrongAssetsHandler],
    providers: [
      { provide: PAYMENT_WATCHER_CONFIGURATION, useValue: configuration },
      {
        provide: CHAIN_CLIENT,
        inject: [PAYMENT_WATCHER_CONFIGURATION, PaymentWatcherMetrics, Logger],
        useFactory: chainClient,
      },
      { provide: CHAIN_REQUEST, inject: [CHAIN_CLIENT], useFactory: rpcRequestOf },
      { provide: BACKGROUND_REQUEST, inject: [CHAIN_CLIENT], useFactory: backgroundRequestOf },
      { provide: BACKGROUND_CLIENT, inject: [CHAIN_CLIENT], useFactory: backgroundClientOf },
      {
        provide: BalanceReader,
        inject: [CHAIN_REQUEST],
        useFactory: (request: RpcRequest) =>
          new BalanceReader(request, { multicall3: networkOf(configuration.CHAIN_ID).multicall3 }),
      },
      {
        provide: HYPERCORE_API,
        useValue: configuration.HYPERCORE_API_URL ? new HyperCoreApi(configuration.HYPERCORE_API_URL) : undefined,
      },
      HyperCoreQueries,
      TokenSearch,
      {
        provide: WRONG_ASSET_SEARCHES,
        inject: [Clock, HyperCoreQueries, TokenSearch, WatchesRepository, Connection, Outbox, Logger],
        useFactory: wrongAssetSearches,
      },
      PaymentWatcherMetrics,
      WatchesRepository,
      DustRepository,
      DepositsRepository,
      PublishSeenService,
      CursorRepository,
      FencedWrites,
      RegisterWatchHandler,
      CloseWatchHandler,
      RecordBlockService,
      ChainClockService,
      SearchTransfersService,
      ExplainBalanceService,
      PollBalancesService,
      ResolveDisplacedService,
      ConfirmDepositService,
      CreditDepositService,
      DepositDustService,
      AnnounceDeadlineService,
      ScanLoop,
    ],
  });
}
