import { AgreedMarket, BlockReceipts, HeadFeed, Recipients, TransferProofs } from '@maker/chain';
import { CreditedDeposits, type Execution, LEDGER_KINDS } from '@maker/execution-records';
import { RequestClient } from '@maker/messaging';
import { MINIMUM_LIQUIDITY_WEI } from '@maker/rules';
import { Logger } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { ChainAccess } from '../chain/chain-access.ts';
import { MAKER_CONFIGURATION, type MakerConfiguration, recipientTrust } from '../configuration.ts';
import { MakerDatabase } from '../database.ts';
import { DepositsKnown } from '../refund/deposits-known.ts';
import type { TickRules } from '../session/view.ts';
import { ReceiptFinder } from '../tracking/receipt-finder.ts';

/** Unconfirmed nonces per wallet: HyperEVM's mempool takes the next 8. Source: hyperevm § 1. */
const MOST_IN_FLIGHT = 8;

/** The ledger entries of a job do not add up to its stored totals. */
export class LedgerBrokenError extends Error {
  readonly code = 'LEDGER_BROKEN';

  constructor(jobId: string, kind: string) {
    super(`The ledger of ${jobId} does not add up: '${kind}' differs from its entries`);
    this.name = 'LedgerBrokenError';
  }
}

/** Sources that ticks read, and the rules of their decisions. */
@Injectable()
export class TickSources {
  readonly receipts: ReceiptFinder;
  readonly depositsKnown: DepositsKnown;
  readonly proofs: TransferProofs;
  /** The market on which two hosts agree, or of the only host if there is one. */
  readonly agreedMarket: AgreedMarket;
  readonly recipients: Recipients;
  readonly rules: TickRules;
  /** HYPE that a pool must have, wei: half of the minimum for a new job, so that a job can continue in a shrinking pool. */
  readonly minimumLiquidityWei = MINIMUM_LIQUIDITY_WEI / 2n;

  constructor(
    @Inject(MAKER_CONFIGURATION) configuration: MakerConfiguration,
    readonly chain: ChainAccess,
    readonly feed: HeadFeed,
    readonly database: MakerDatabase,
    requests: RequestClient,
    logger: Logger,
  ) {
    this.receipts = new ReceiptFinder(chain, feed, new BlockReceipts(chain.hosts), chain.hosts);
    this.proofs = new TransferProofs(chain, configuration.CHAIN_TRUST_SINGLE_ENDPOINT, () => performance.now(), logger);
    const credited = new CreditedDeposits(requests);
    this.depositsKnown = new DepositsKnown(requests, credited, database.refunds, this.proofs, logger);
    this.agreedMarket = new AgreedMarket(chain.client, chain.market, chain.hosts.trustsSingle);
    this.recipients = new Recipients(chain.client, chain.market, configuration.TREASURY_ADDRESS);
    const { chainId } = chain.network;
    this.rules = {
      trust: recipientTrust(configuration, chainId),
      treasury: configuration.TREASURY_ADDRESS,
      confirmations: configuration.CHAIN_CONFIRMATIONS,
      mostInFlight: MOST_IN_FLIGHT,
      mostConsecutiveFailures: configuration.MAKER_MOST_CONSECUTIVE_FAILURES,
      liquidityTimeoutMs: configuration.MAKER_LIQUIDITY_TIMEOUT_SECONDS * 1000,
      reconcileMs: configuration.MAKER_RECONCILE_SECONDS * 1000,
      buyTransaction: (order) => chain.market.buyTransaction(order),
    };
  }

  /** Adds up all ledger entries of a job and compares them with its totals. @throws LedgerBrokenError */
  async ledgerAddsUp({ id, totals }: Execution): Promise<true> {
    const sums = await this.database.ledger.sum(id);
    const differing = LEDGER_KINDS.find((kind) => sums[`${kind}Wei`] !== totals[`${kind}Wei`]);
    if (differing) throw new LedgerBrokenError(id, differing);
    return true;
  }
}
