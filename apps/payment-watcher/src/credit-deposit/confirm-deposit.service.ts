import { setTimeout as wait } from 'node:timers/promises';
import {
  type ChainClient,
  type Confirmation,
  confirmBalances,
  confirmTransfers,
  HostAgreement,
  hostCountOf,
} from '@maker/chain';
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

/** A deposit that hosts are asked about. */
interface Begun {
  readonly deposit: Deposit;
  readonly confirming: Confirming;
}

/**
 * Confirms by a second host who paid, and what a balance shows: one host alone decides no recipient, and credits nothing.
 * Source: docs/adr/0054 and 0121.
 */
@Injectable()
export class ConfirmDepositService {
  private readonly hosts: HostAgreement;

  constructor(
    @Inject(CHAIN_CLIENT) private readonly client: ChainClient,
    private readonly logger: Logger,
    @Inject(PAYMENT_WATCHER_CONFIGURATION) private readonly configuration: PaymentWatcherConfiguration,
  ) {
    this.hosts = new HostAgreement(client, configuration.CHAIN_TRUST_SINGLE_ENDPOINT);
  }

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
    await this.ask(state, transfers, blockNumber, (some) =>
      [...Map.groupBy(some, ({ deposit }) => deposit.blockHash).values()].map((begun) =>
        this.conclude(state, begun, this.transfersOf(begun)),
      ),
    );
    return this.verdicts(state, transfers, blockNumber);
  }

  /** Asks about rises of balances that are due, and waits shortly. @param rises each with what its address must hold, wei */
  async judgeRises(
    state: ScanState,
    rises: ReadonlyMap<Deposit, bigint>,
    blockNumber: number,
  ): Promise<ReadonlyMap<Deposit, PayerVerdict>> {
    await this.ask(state, [...rises.keys()], blockNumber, (begun) => {
      const balances = begun.map(({ deposit }) => ({
        address: deposit.address,
        leastWei: rises.get(deposit) ?? deposit.amountWei,
        sinceBlock: deposit.seenAtBlock,
      }));
      return [this.conclude(state, begun, confirmBalances(this.hosts, balances))];
    });
    return this.verdicts(state, [...rises.keys()], blockNumber);
  }

  private verdicts(
    state: ScanState,
    deposits: readonly Deposit[],
    blockNumber: number,
  ): ReadonlyMap<Deposit, PayerVerdict> {
    const trust = {
      hostCount: hostCountOf(this.client),
      trustsSingle: this.configuration.CHAIN_TRUST_SINGLE_ENDPOINT,
    };
    return new Map(
      deposits.map((deposit) => [deposit, judgePayer(state.confirming.get(deposit.depositId), blockNumber, trust)]),
    );
  }

  private async ask(
    state: ScanState,
    deposits: readonly Deposit[],
    blockNumber: number,
    question: (begun: readonly Begun[]) => readonly Promise<void>[],
  ): Promise<void> {
    if (hostCountOf(this.client) < 2) return;
    const due = deposits.filter(({ depositId }) => {
      const confirming = state.confirming.get(depositId);
      return confirming?.says !== 'confirmed' && (confirming?.nextAtBlock ?? 0) <= blockNumber;
    });
    if (due.length === 0) return;
    const asked = question(due.map((deposit) => begin(state, deposit, blockNumber)));
    await Promise.race([Promise.all(asked), wait(WAIT_MS)]);
  }

  private async transfersOf(begun: readonly Begun[]): Promise<readonly (Confirmation | undefined)[]> {
    const [{ deposit: first }] = begun as [Begun];
    const wanted = begun.map(({ deposit: { transactionHash = '0x', from = null, address: to, amountWei } }) => ({
      transactionHash,
      from,
      to,
      amountWei,
    }));
    const { blockNumber: number, blockHash: hash = '0x' } = first;
    const says = await confirmTransfers(this.client, wanted, { number, hash });
    return wanted.map(({ transactionHash }) => says.get(transactionHash));
  }

  private async conclude(
    state: ScanState,
    begun: readonly Begun[],
    asked: Promise<readonly (Confirmation | undefined)[]>,
  ): Promise<void> {
    const says = await asked;
    for (const [at, { deposit, confirming }] of begun.entries()) {
      const { jobId, depositId, blockNumber: block } = deposit;
      // A reorganisation has forgotten it meanwhile.
      if (state.confirming.get(depositId) !== confirming) continue;
      const said = says[at];
      state.confirming.set(depositId, { ...confirming, says: said });
      if (said !== 'contradicted' || confirming.tries !== TRIES_BEFORE_ALARM) continue;
      this.logger.error({ jobId, depositId, block }, 'payment not credited, endpoints disagree about it');
    }
  }
}

function begin(state: ScanState, deposit: Deposit, blockNumber: number): Begun {
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
}
