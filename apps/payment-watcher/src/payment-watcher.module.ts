import {
  BalanceReader,
  backgroundClientOf,
  backgroundRequestOf,
  type ChainClient,
  Hosts,
  HyperCoreApi,
  networkOf,
  type RpcRequest,
  rpcRequestOf,
} from '@maker/chain';
import { serviceModule } from '@maker/messaging';
import { Logger } from '@maker/service-kit';
import type { DynamicModule } from '@nestjs/common';
import { AnnounceDeadlineService } from './announce-deadline/announce-deadline.service.ts';
import { DepositDustService } from './announce-deadline/deposit-dust.service.ts';
import { BACKGROUND_CLIENT, BACKGROUND_REQUEST, CHAIN_CLIENT, CHAIN_REQUEST, chainClient } from './chain-client.ts';
import { ChainClockService } from './chain-clock/chain-clock.service.ts';
import { ChainReach } from './chain-reach.ts';
import { CloseWatchHandler } from './close-watch/close-watch.handler.ts';
import { PAYMENT_WATCHER_CONFIGURATION, type PaymentWatcherConfiguration } from './configuration.ts';
import { ConfirmRisesService } from './credit-deposit/confirm-rises.service.ts';
import { CreditDepositService } from './credit-deposit/credit-deposit.service.ts';
import { CreditedDepositsHandler } from './credit-deposit/credited-deposits.handler.ts';
import { ResolveDisplacedService } from './credit-deposit/resolve-displaced.service.ts';
import { DepositsRepository } from './deposit/deposits.repository.ts';
import { DustRepository } from './deposit/dust.repository.ts';
import { PublishSeenService } from './deposit/publish-seen.service.ts';
import { FindWrongAssetsHandler } from './find-wrong-assets/find-wrong-assets.handler.ts';
import { HYPERCORE_API, HyperCoreQueries } from './find-wrong-assets/hypercore-queries.ts';
import { ReportFindService } from './find-wrong-assets/report-find.service.ts';
import { TokenSearch } from './find-wrong-assets/token-search.ts';
import { WrongAssetSearches } from './find-wrong-assets/wrong-asset-searches.ts';
import { PaymentWatcherMetrics } from './payment-watcher.metrics.ts';
import { ExplainBalanceService } from './poll-balances/explain-balance.service.ts';
import { PollBalancesService } from './poll-balances/poll-balances.service.ts';
import { RecordBlockService } from './record-block/record-block.service.ts';
import { RegisterWatchHandler } from './register-watch/register-watch.handler.ts';
import { CursorRepository } from './scan/cursor.repository.ts';
import { FencedWrites } from './scan/fenced-writes.ts';
import { ScanLoop } from './scan-loop.ts';
import { SearchTransfersService } from './search-transfers/search-transfers.service.ts';
import { WatchesRepository } from './watch/watches.repository.ts';

/** Name of this service: its queue group, its durable consumer, its label in logs and metrics. */
export const SERVICE = 'payment-watcher';

export function paymentWatcherModule(configuration: PaymentWatcherConfiguration, logger: Logger): DynamicModule {
  return serviceModule(SERVICE, configuration, logger, {
    mongoUrl: configuration.MONGO_URL,
    events: SERVICE,
    controllers: [CreditedDepositsHandler, FindWrongAssetsHandler],
    providers: [
      { provide: PAYMENT_WATCHER_CONFIGURATION, useValue: configuration },
      {
        provide: CHAIN_CLIENT,
        inject: [PAYMENT_WATCHER_CONFIGURATION, PaymentWatcherMetrics, Logger, ChainReach],
        useFactory: chainClient,
      },
      ChainReach,
      {
        provide: Hosts,
        inject: [CHAIN_CLIENT],
        useFactory: (client: ChainClient) => new Hosts(client, configuration.CHAIN_TRUST_SINGLE_ENDPOINT),
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
      ReportFindService,
      WrongAssetSearches,
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
      ConfirmRisesService,
      CreditDepositService,
      DepositDustService,
      AnnounceDeadlineService,
      ScanLoop,
    ],
  });
}
