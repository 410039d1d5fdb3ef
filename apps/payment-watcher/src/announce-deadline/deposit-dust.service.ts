import type { BlockPointer } from '@maker/chain';
import { Injectable } from '@nestjs/common';
import { DepositsRepository } from '../deposit/deposits.repository.ts';
import { DustRepository, dayOf } from '../deposit/dust.repository.ts';
import { FencedWrites } from '../scan/fenced-writes.ts';
import type { ScanState } from '../scan/scan-state.ts';
import type { Watch } from '../watch/watch.ts';
import { WatchesRepository } from '../watch/watches.repository.ts';

/** Addresses of past days whose dust becomes a deposit after one block. */
const MOST_AT_ONCE = 20;

/**
 * Makes one deposit of the dust of an address: at its deadline, and when a day is over. So its job tells of every wei, by an event a day at most.
 * Dust of wallets that spend is left to maker-executor, whose ledger finds it. Source: docs/adr/0053.
 */
@Injectable()
export class DepositDustService {
  constructor(
    private readonly writes: FencedWrites,
    private readonly watches: WatchesRepository,
    private readonly deposits: DepositsRepository,
    private readonly dust: DustRepository,
  ) {}

  /** Before a deadline is announced, once. @returns whether dust has become a deposit, which is to be credited first */
  async beforeDeadline(state: ScanState, watch: Watch, block: BlockPointer): Promise<boolean> {
    const { address, deadlineMs } = watch;
    if (watch.spendingSinceBlock !== null || (await this.dust.sumOf(address)) === 0n) return false;
    if (await this.deposits.hasDustDeposit(address)) return false;
    return this.settle(state, watch, { blockNumber: block.number, blockAtMs: deadlineMs });
  }

  /** Called after blocks that leave time for it: once a day it passes each address, a part after each block. */
  async ofPastDays(state: ScanState, block: BlockPointer): Promise<void> {
    const day = dayOf(block.timestampMs);
    const before = state.dust?.day === day ? state.dust : undefined;
    if (before?.isDone) return;
    const addresses = await this.dust.ofPastDays(day, before?.after, MOST_AT_ONCE);
    for (const watch of (await this.watches.findMany(addresses)).values()) {
      if (watch.spendingSinceBlock !== null) continue;
      // A block may end a day and pass a deadline: what came before that is in time.
      const { deadlinePassedAt, deadlineMs } = watch;
      const blockAtMs = deadlinePassedAt ? block.timestampMs : Math.min(block.timestampMs, deadlineMs);
      await this.settle(state, watch, { blockNumber: block.number, blockAtMs });
    }
    state.dust = { day, after: addresses.at(-1), isDone: addresses.length === 0 };
  }

  private settle(
    state: ScanState,
    watch: Watch,
    at: { readonly blockNumber: number; readonly blockAtMs: number },
  ): Promise<boolean> {
    return this.writes.run(state, async (session) => {
      const deposit = await this.dust.settle(watch, at, session);
      if (deposit) await this.deposits.insertSeen([deposit], session);
      return deposit !== undefined;
    });
  }
}
