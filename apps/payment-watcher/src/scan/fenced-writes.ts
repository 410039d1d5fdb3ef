import { Connection, inTransaction, type Lease, Leases } from '@maker/persistence';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { CursorRepository } from './cursor.repository.ts';
import { ScanState } from './scan-state.ts';

/** Most blocks in which nothing happened that a scanner scans again after the one before it died. */
const SAVE_EVERY_BLOCKS = 5;

/**
 * Writes of the one active scanner: all or none, none once another process has taken the lease, and each with the cursor. A fact
 * is saved together with the block that it comes from, so a restarted scanner still finds a reorganisation of that block.
 */
@Injectable()
export class FencedWrites {
  constructor(
    private readonly connection: Connection,
    private readonly leases: Leases,
    private readonly cursor: CursorRepository,
  ) {}

  /** Begins at the saved cursor: from here on the scanner before this one cannot write. @throws LeaseLostError */
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

  /** Saves the cursor after blocks in which nothing happened. @throws LeaseLostError */
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
