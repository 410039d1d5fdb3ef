import { ChainClock, type ConnectedChain, connectChain, HeadFeed, HyperCoreApi, sparingPace } from '@maker/chain';
import { serviceModule } from '@maker/messaging';
import { Clock, Logger, Readiness, SteadyClock } from '@maker/service-kit';
import { SeedKeyring } from '@maker/signing/private';
import type { DynamicModule } from '@nestjs/common';
import { Capacity } from './capacity/capacity.ts';
import { ChainAccess } from './chain/chain-access.ts';
import { MAKER_CONFIGURATION, type MakerConfiguration, recipientTrust } from './configuration.ts';
import { MakerDatabase } from './database.ts';
import { RefundDueHandler } from './event-handlers/refund-due.handler.ts';
import { StartExecutionHandler } from './event-handlers/start-execution.handler.ts';
import { DatabaseGauges } from './gauges/database-gauges.ts';
import { MakerMetrics } from './metrics/maker.metrics.ts';
import { CarryOutCommandHandler } from './operator/carry-out-command.handler.ts';
import { HYPERCORE_API, HyperCoreSender } from './operator/hypercore-sender.ts';
import { OperatorHandler } from './operator/operator.handler.ts';
import { ReleaseFunds } from './operator/release-funds.ts';
import { ProofsHandler } from './proof/proofs.handler.ts';
import { SignReceiptHandler } from './receipt/sign-receipt.handler.ts';
import { Apply } from './runner/apply.ts';
import { Broadcaster } from './runner/broadcaster.ts';
import { EndedWalletsCheck } from './runner/ended-wallets-check.ts';
import { ReorgWatch } from './runner/reorg-watch.ts';
import { TickSources } from './runner/tick-sources.ts';
import { WalletOwner } from './runner/wallet-owner.ts';
import { JobWalletSigner, KEYRING, POLICY_LIMITS } from './wallet/job-wallet-signer.ts';
import type { PolicyLimits } from './wallet/policy.ts';

/** Name of this service: its queue group, its durable consumer, its label in logs and metrics. */
export const SERVICE = 'maker-executor';

/** A head older than this means that the endpoints do not answer, ms. */
const STALE_HEAD_MS = 60_000;

/**
 * Default share of an endpoint's rate limit that this service may use, percent. payment-watcher and token-validation use the
 * rest, so that all of them together stay within the limit.
 */
const USUAL_SHARE_PERCENT = 14;

/** Returns the Nest module of maker-executor with all its providers. */
export function makerModule(configuration: MakerConfiguration, logger: Logger): DynamicModule {
  return serviceModule(SERVICE, configuration, logger, {
    mongoUrl: configuration.MONGO_URL,
    events: SERVICE,
    controllers: [ProofsHandler, SignReceiptHandler, OperatorHandler, CarryOutCommandHandler],
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
          new ChainAccess(await connect(configuration, metrics, log), configuration.CHAIN_TRUST_SINGLE_ENDPOINT),
      },
      {
        provide: POLICY_LIMITS,
        inject: [ChainAccess],
        useFactory: ({ network, market }: ChainAccess): PolicyLimits => ({
          chainId: network.chainId,
          trust: recipientTrust(configuration, network.chainId),
          treasury: configuration.TREASURY_ADDRESS,
          // Read on each access: an exchange may be set aside, and used again later.
          get routers() {
            return market.exchanges.map(({ router }) => router);
          },
        }),
      },
      {
        provide: HeadFeed,
        inject: [ChainAccess, Logger, Clock, SteadyClock, Readiness],
        useFactory: (
          { client, network, limits }: ChainAccess,
          log: Logger,
          clock: Clock,
          steady: SteadyClock,
          readiness: Readiness,
        ) => {
          const chainClock = new ChainClock(client, network.clockBoundMs, log, () => clock.now());
          const feed = new HeadFeed(client, log, chainClock, sparingPace(limits, network), () => steady.now());
          readiness.add('chain', () => {
            if (feed.ageMs > STALE_HEAD_MS) throw new Error('no block was read for a minute');
          });
          return feed;
        },
      },
      {
        provide: HYPERCORE_API,
        useValue: configuration.HYPERCORE_API_URL ? new HyperCoreApi(configuration.HYPERCORE_API_URL) : undefined,
      },
      MakerMetrics,
      MakerDatabase,
      DatabaseGauges,
      JobWalletSigner,
      Broadcaster,
      Capacity,
      TickSources,
      Apply,
      WalletOwner,
      ReorgWatch,
      EndedWalletsCheck,
      StartExecutionHandler,
      RefundDueHandler,
      ReleaseFunds,
      HyperCoreSender,
    ],
  });
}

function connect(configuration: MakerConfiguration, metrics: MakerMetrics, logger: Logger): Promise<ConnectedChain> {
  return connectChain(configuration, {
    ...metrics.rpc.observer(logger),
    ...metrics.exchanges.listener(logger),
    sharePercent: USUAL_SHARE_PERCENT,
    broadcasts: true,
    onUnavailable: (error, attempt) => logger.warn({ err: error, attempt }, 'chain not reached yet'),
  });
}
