import type { BlockPointer } from '@maker/chain';
import { Injectable } from '@nestjs/common';
import { DepositsRepository } from '../deposit/deposits.repository.ts';
import { DustRepository, dayOf } from '../deposit/dust.repository.ts';
import { FencedWrites } from '../scan/fenced-writes.ts';
import type { ScanState } from '../scan/scan-state.ts';
import type { Watch } from '../watch/watch.ts';
import { WatchesRepository } from '../watch/watches.repository.ts';

/** Most addresses with dust of past days that are settled after one block. */
const MOST_PER_BLOCK = 20;

/**
 * Turns the dust of an address into one deposit, at its deadline and at the end of a day. So the job reports every wei, with at most one
 * event a day. maker-executor's ledger finds the dust of wallets that spend. Source: docs/adr/0053.
 */
@Injectable()
export class DepositDustService {
  constructor(
    private readonly writes: FencedWrites,
    private readonly watches: WatchesRepository,
    private readonly deposits: DepositsRepository,
    private readonly dust: DustRepository,
  ) {}

  /** Settles dust once, before the deadline is announced. @returns whether a new deposit must be credited first */
  async beforeDeadline(state: ScanState, watch: Watch, block: BlockPointer): Promise<boolean> {
    const { address, deadlineMs } = watch;
    if (watch.spendingSinceBlock !== null || (await this.dust.sumOf(address)) === 0n) return false;
    if (await this.deposits.hasDustDeposit(address)) return false;
    return this.settle(state, watch, { blockNumber: block.number, blockAtMs: deadlineMs });
  }

  /** Settles dust of past days. Called after blocks that leave time for it. It visits each address once a day, a part after each block. */
  async ofPastDays(state: ScanState, block: BlockPointer): Promise<void> {
    const day = dayOf(block.timestampMs);
    const before = state.dust?.day === day ? state.dust : undefined;
    if (before?.isDone) return;
    const addresses = await this.dust.ofPastDays(day, before?.after, MOST_PER_BLOCK);
    for (const watch of (await this.watches.findMany(addresses)).values()) {
      if (watch.spendingSinceBlock !== null) continue;
      // One block may end a day and pass a deadline: dust from before the deadline is in time.
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
