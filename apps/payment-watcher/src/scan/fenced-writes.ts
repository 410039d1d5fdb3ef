import { Connection, inTransaction, type Lease, Leases } from '@maker/persistence';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';

/** Writes of the one active scanner: all or none, and none once another process has taken the lease. */
@Injectable()
export class FencedWrites {
  constructor(
    private readonly connection: Connection,
    private readonly leases: Leases,
  ) {}

  /** @throws LeaseLostError */
  run<Result>(lease: Lease, write: (session: ClientSession) => Promise<Result>): Promise<Result> {
    return inTransaction(this.connection, async (session) => {
      await this.leases.assertHeld(lease, session);
      return write(session);
    });
  }
}
