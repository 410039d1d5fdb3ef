import { setTimeout as wait } from 'node:timers/promises';
import { type Confirmation, confirmBalances, Hosts } from '@maker/chain';
import { Logger } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { Deposit } from '../deposit/deposit.ts';
import type { Confirming, ScanState } from '../scan/scan-state.ts';

/** Longest wait for hosts after a block, ms. Later answers count after the next block. */
const WAIT_MS = 300;

/** Longest pause between two tries, blocks. The pause doubles with each try. */
const LONGEST_PAUSE_BLOCKS = 64;

/** Number of tries after which the log reports that hosts disagree. */
const TRIES_BEFORE_ALARM = 4;

/** A rise whose confirmation is requested from the hosts. */
interface Pending {
  readonly deposit: Deposit;
  readonly confirming: Confirming;
}

/** Confirms rises of balances with a second host: one host alone credits none. Source: docs/adr/0121. */
@Injectable()
export class ConfirmRisesService {
  constructor(
    private readonly hosts: Hosts,
    private readonly logger: Logger,
  ) {}

  /** Returns the ids of contradicted rises whose next try is after this block. */
  resting(state: ScanState, blockNumber: number): string[] {
    return [...state.confirming].flatMap(([id, { nextAtBlock, outcome }]) =>
      nextAtBlock > blockNumber && outcome === 'contradicted' ? [id] : [],
    );
  }

  /**
   * Asks the hosts about due rises and waits briefly.
   * @param rises with the least balance of their address, wei
   * @returns those that hosts confirm; with one host, all
   */
  async confirmed(
    state: ScanState,
    rises: ReadonlyMap<Deposit, bigint>,
    blockNumber: number,
  ): Promise<ReadonlySet<Deposit>> {
    const { count, trustsSingle } = this.hosts;
    const deposits = [...rises.keys()];
    if (count < 2) return new Set(deposits);
    const outcomeOf = ({ depositId }: Deposit) => state.confirming.get(depositId)?.outcome;
    const due = deposits.filter(
      (rise) =>
        outcomeOf(rise) !== 'confirmed' && (state.confirming.get(rise.depositId)?.nextAtBlock ?? 0) <= blockNumber,
    );
    if (due.length > 0) await this.ask(state, due, rises, blockNumber);
    return new Set(
      deposits.filter((rise) => {
        const outcome = outcomeOf(rise);
        return outcome === 'confirmed' || (outcome === 'unanswered' && trustsSingle);
      }),
    );
  }

  private async ask(
    state: ScanState,
    due: readonly Deposit[],
    rises: ReadonlyMap<Deposit, bigint>,
    blockNumber: number,
  ): Promise<void> {
    const pending = due.map((deposit) => startTry(state, deposit, blockNumber));
    const balances = due.map((deposit) => ({
      address: deposit.address,
      leastWei: rises.get(deposit) ?? deposit.amountWei,
      sinceBlock: deposit.seenAtBlock,
    }));
    await Promise.race([this.conclude(state, pending, confirmBalances(this.hosts, balances)), wait(WAIT_MS)]);
  }

  private async conclude(
    state: ScanState,
    pending: readonly Pending[],
    asked: Promise<readonly Confirmation[]>,
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
