import { setTimeout as wait } from 'node:timers/promises';
import { type Confirmation, confirmBalances, confirmTransfers, Hosts } from '@maker/chain';
import { Logger } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { Deposit } from '../deposit/deposit.ts';
import type { Confirming, ScanState } from '../scan/scan-state.ts';
import { judgePayer, type PayerVerdict } from './judge-payer.ts';

/** Longest wait for hosts after a block, ms. Later answers count after the next block. */
const WAIT_MS = 300;

/** Longest pause between two tries, blocks. The pause doubles with each try. */
const LONGEST_PAUSE_BLOCKS = 64;

/** Number of tries after which the log reports that hosts disagree. */
const TRIES_BEFORE_ALARM = 4;

/** A deposit whose confirmation is requested from the hosts. */
interface Pending {
  readonly deposit: Deposit;
  readonly confirming: Confirming;
}

/**
 * Confirms payers and balances with a second host: one host alone names no recipient of refunds and credits no balance.
 * Source: docs/adr/0054 and 0121.
 */
@Injectable()
export class ConfirmDepositService {
  constructor(
    private readonly hosts: Hosts,
    private readonly logger: Logger,
  ) {}

  /** Returns the ids of contradicted deposits whose next try is after this block. */
  resting(state: ScanState, blockNumber: number): string[] {
    return [...state.confirming].flatMap(([id, { nextAtBlock, outcome }]) =>
      nextAtBlock > blockNumber && outcome === 'contradicted' ? [id] : [],
    );
  }

  /** Asks the hosts about due transfers and waits briefly. @returns the verdict on each transfer */
  async confirmTransfers(
    state: ScanState,
    transfers: readonly Deposit[],
    blockNumber: number,
  ): Promise<ReadonlyMap<Deposit, PayerVerdict>> {
    await this.ask(state, transfers, blockNumber, (some) =>
      [...Map.groupBy(some, ({ deposit }) => deposit.blockHash).values()].map((pending) =>
        this.conclude(state, pending, this.transfersOf(pending)),
      ),
    );
    return this.verdicts(state, transfers);
  }

  /** Asks the hosts about due balance rises and waits briefly. @param rises with the least balance of their address, wei */
  async confirmRises(
    state: ScanState,
    rises: ReadonlyMap<Deposit, bigint>,
    blockNumber: number,
  ): Promise<ReadonlyMap<Deposit, PayerVerdict>> {
    await this.ask(state, [...rises.keys()], blockNumber, (pending) => {
      const balances = pending.map(({ deposit }) => ({
        address: deposit.address,
        leastWei: rises.get(deposit) ?? deposit.amountWei,
        sinceBlock: deposit.seenAtBlock,
      }));
      return [this.conclude(state, pending, confirmBalances(this.hosts, balances))];
    });
    return this.verdicts(state, [...rises.keys()]);
  }

  private verdicts(state: ScanState, deposits: readonly Deposit[]): ReadonlyMap<Deposit, PayerVerdict> {
    const { count: hostCount, trustsSingle } = this.hosts;
    const trust = { hostCount, trustsSingle };
    return new Map(
      deposits.map((deposit) => [deposit, judgePayer(state.confirming.get(deposit.depositId)?.outcome, trust)]),
    );
  }

  private async ask(
    state: ScanState,
    deposits: readonly Deposit[],
    blockNumber: number,
    question: (pending: readonly Pending[]) => readonly Promise<void>[],
  ): Promise<void> {
    if (this.hosts.count < 2) return;
    const due = deposits.filter(({ depositId }) => {
      const confirming = state.confirming.get(depositId);
      return confirming?.outcome !== 'confirmed' && (confirming?.nextAtBlock ?? 0) <= blockNumber;
    });
    if (due.length === 0) return;
    const asked = question(due.map((deposit) => startTry(state, deposit, blockNumber)));
    await Promise.race([Promise.all(asked), wait(WAIT_MS)]);
  }

  private async transfersOf(pending: readonly Pending[]): Promise<readonly (Confirmation | undefined)[]> {
    const [{ deposit: first }] = pending as [Pending];
    const wanted = pending.map(({ deposit: { transactionHash = '0x', from = null, address: to, amountWei } }) => ({
      transactionHash,
      from,
      to,
      amountWei,
    }));
    const { blockNumber: number, blockHash: hash = '0x' } = first;
    const outcomes = await confirmTransfers(this.hosts, wanted, { number, hash });
    return wanted.map(({ transactionHash }) => outcomes.get(transactionHash));
  }

  private async conclude(
    state: ScanState,
    pending: readonly Pending[],
    asked: Promise<readonly (Confirmation | undefined)[]>,
  ): Promise<void> {
    const outcomes = await asked;
    for (const [at, { deposit, confirming }] of pending.entries()) {
      const { jobId, depositId, blockNumber: block } = deposit;
      // A reorganisation has removed the entry meanwhile.
      if (state.confirming.get(depositId) !== confirming) continue;
      const outcome = outcomes[at];
      state.confirming.set(depositId, { ...confirming, outcome });
      if (outcome !== 'contradicted' || confirming.tries !== TRIES_BEFORE_ALARM) continue;
      this.logger.error({ jobId, depositId, block }, 'payment not credited, endpoints disagree about it');
    }
  }
}

function startTry(state: ScanState, deposit: Deposit, blockNumber: number): Pending {
  const before = state.confirming.get(deposit.depositId);
  const tries = (before?.tries ?? 0) + 1;
  const confirming: Confirming = {
    outcome: before?.outcome,
    tries,
    nextAtBlock: blockNumber + Math.min(2 ** (tries - 1), LONGEST_PAUSE_BLOCKS),
  };
  state.confirming.set(deposit.depositId, confirming);
  return { deposit, confirming };
}
