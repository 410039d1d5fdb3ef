import { setTimeout as wait } from 'node:timers/promises';
import { type ChainClient, confirmTransfers, hostCountOf } from '@maker/chain';
import { Logger } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { CHAIN_CLIENT } from '../chain-client.ts';
import { PAYMENT_WATCHER_CONFIGURATION, type PaymentWatcherConfiguration } from '../configuration.ts';
import type { Deposit } from '../deposit/deposit.ts';
import type { Confirming, ScanState } from '../scan/scan-state.ts';
import { judgePayer, type PayerVerdict } from './judge-payer.ts';

/** Longest wait for hosts after a block, ms. What they say later counts after the next one. */
const WAIT_MS = 300;

/** Longest pause before hosts are asked again, blocks; it doubles with each try. */
const LONGEST_PAUSE_BLOCKS = 64;

/** Tries after which an operator hears that hosts disagree. */
const TRIES_BEFORE_ALARM = 4;

/** Confirms by a second host who paid: one host alone decides no recipient. Source: docs/adr/0054. */
@Injectable()
export class ConfirmPayerService {
  constructor(
    @Inject(CHAIN_CLIENT) private readonly client: ChainClient,
    private readonly logger: Logger,
    @Inject(PAYMENT_WATCHER_CONFIGURATION) private readonly configuration: PaymentWatcherConfiguration,
  ) {}

  /** Deposits that are not asked about after this block. */
  resting(state: ScanState, blockNumber: number): string[] {
    return [...state.confirming].flatMap(([id, { nextAtBlock, says }]) =>
      nextAtBlock > blockNumber && says === 'contradicted' ? [id] : [],
    );
  }

  /** Asks about transfers that are due, and waits shortly. @returns what is to be done about each */
  async judge(
    state: ScanState,
    transfers: readonly Deposit[],
    blockNumber: number,
  ): Promise<ReadonlyMap<Deposit, PayerVerdict>> {
    const hostCount = hostCountOf(this.client);
    const trust = { hostCount, trustsSingle: this.configuration.CHAIN_TRUST_SINGLE_ENDPOINT };
    if (hostCount > 1) await this.ask(state, transfers, blockNumber);
    return new Map(
      transfers.map((deposit) => [deposit, judgePayer(state.confirming.get(deposit.depositId), blockNumber, trust)]),
    );
  }

  private async ask(state: ScanState, transfers: readonly Deposit[], blockNumber: number): Promise<void> {
    const due = transfers.filter(({ depositId }) => {
      const confirming = state.confirming.get(depositId);
      return confirming?.says !== 'confirmed' && (confirming?.nextAtBlock ?? 0) <= blockNumber;
    });
    const byBlock = Map.groupBy(due, ({ blockHash }) => blockHash);
    const asked = [...byBlock.values()].map((some) => this.askAbout(state, some, blockNumber));
    if (asked.length > 0) await Promise.race([Promise.all(asked), wait(WAIT_MS)]);
  }

  private async askAbout(state: ScanState, transfers: readonly Deposit[], blockNumber: number): Promise<void> {
    const begun = transfers.map((deposit) => {
      const before = state.confirming.get(deposit.depositId);
      const tries = (before?.tries ?? 0) + 1;
      const confirming: Confirming = {
        sinceBlock: before?.sinceBlock ?? blockNumber,
        says: before?.says,
        tries,
        nextAtBlock: blockNumber + Math.min(2 ** (tries - 1), LONGEST_PAUSE_BLOCKS),
      };
      state.confirming.set(deposit.depositId, confirming);
      return { deposit, confirming };
    });
    const [{ blockNumber: number, blockHash: hash = '0x' }] = transfers as [Deposit];
    const wanted = transfers.map(({ transactionHash = '0x', from = null, address: to, amountWei }) => ({
      transactionHash,
      from,
      to,
      amountWei,
    }));
    const says = await confirmTransfers(this.client, wanted, { number, hash });
    for (const { deposit, confirming } of begun) {
      // A reorganisation has forgotten it meanwhile.
      if (state.confirming.get(deposit.depositId) !== confirming) continue;
      const said = says.get(deposit.transactionHash ?? '0x');
      state.confirming.set(deposit.depositId, { ...confirming, says: said });
      if (said !== 'contradicted' || confirming.tries !== TRIES_BEFORE_ALARM) continue;
      const { jobId, depositId } = deposit;
      this.logger.error({ jobId, depositId, block: number }, 'payment not credited, endpoints disagree about it');
    }
  }
}
