import { Connection, inTransaction, Leases } from '@maker/persistence';
import { inSpan } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import { type ExecutionChange, ExecutionsRepository } from './executions.repository.ts';
import type { LeasedExecution } from './leased-execution.ts';

/**
 * The only way an execution is changed: in one transaction that proves the wallet's lease, so that of two owners only
 * the newer can write. Source: design § 5.
 */
@Injectable()
export class ExecutionWriter {
  constructor(
    private readonly connection: Connection,
    private readonly leases: Leases,
    private readonly executions: ExecutionsRepository,
  ) {}

  /**
   * @param alongside further writes of the same transaction; may run more than once
   * @returns it as changed
   * @throws LeaseLostError, StaleExecutionError: nothing was written
   */
  async write(
    leased: LeasedExecution,
    change: ExecutionChange,
    alongside?: (session: ClientSession) => Promise<void>,
  ): Promise<LeasedExecution> {
    const write = () =>
      inTransaction(this.connection, async (session) => {
        await this.leases.assertHeld(leased.lease, session);
        await alongside?.(session);
        return this.executions.change(leased.execution, change, session);
      });
    const { id, origin = {} } = leased.execution;
    // The other writes are part of what is traced around them, or are made at each block and show nothing.
    const entered = change.phase && { 'maker.job.id': id, 'maker.execution.phase': change.phase };
    const execution = await (entered ? inSpan('enter phase', { origin, attributes: entered }, write) : write());
    return { ...leased, execution };
  }
}
