import { Connection, inTransaction, type Lease, Leases } from '@maker/persistence';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { CursorRepository } from './cursor.repository.ts';
import { ScanState } from './scan-state.ts';

/** Empty blocks between two saves of the cursor: after a crash, the next scanner repeats at most so many. */
export const SAVE_EVERY_BLOCKS = 5;

/**
 * Atomic writes of the one active scanner, each with the cursor. They fail once another process has the lease. A fact
 * is saved together with its block, so a restarted scanner still detects a reorganisation of that block.
 */
@Injectable()
export class FencedWrites {
  constructor(
    private readonly connection: Connection,
    private readonly leases: Leases,
    private readonly cursor: CursorRepository,
  ) {}

  /** Starts at the saved cursor. The previous scanner can no longer write. @throws LeaseLostError */
  async begin(lease: Lease): Promise<ScanState> {
    return new ScanState(lease, await this.fenced(lease, (session) => this.cursor.takeOver(lease, session)));
  }

  /** @throws LeaseLostError */
  async run<Result>(state: ScanState, write: (session: ClientSession) => Promise<Result>): Promise<Result> {
    const result = await this.fenced(state.lease, async (session) => {
      if (state.unsavedBlocks > 0) await this.cursor.save(state, session);
      return write(session);
    });
    state.unsavedBlocks = 0;
    return result;
  }

  /** Saves the cursor after some empty blocks. @throws LeaseLostError */
  async afterEmptyBlock(state: ScanState): Promise<void> {
    if (state.unsavedBlocks < SAVE_EVERY_BLOCKS) return;
    await this.cursor.saveAlone(state, state.lease);
    state.unsavedBlocks = 0;
  }

  private fenced<Result>(lease: Lease, write: (session: ClientSession) => Promise<Result>): Promise<Result> {
    return inTransaction(this.connection, async (session) => {
      await this.leases.assertHeld(lease, session);
      return write(session);
    });
  }
}
