import { Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import { Injectable } from '@nestjs/common';
import { type ClientSession, Schema } from 'mongoose';
import type { Execution } from '../execution/execution.ts';
import type { LeasedExecution } from '../execution/leased-execution.ts';

/** An operator's command that nothing is to be sent. */
export interface OperatorPause {
  readonly by: string;
  readonly since: Date;
}

interface Switch {
  /** `all`: the one that concerns every job. */
  readonly id: 'all';
  readonly pause: OperatorPause | null;
}

const schema = new EntitySchema<Switch>('operator_switches', { pause: Schema.Types.Mixed });

/**
 * The pauses of operators: of one job (a field of its execution) and of all (a row of its own). What was signed before is
 * followed to its end; nothing new is signed.
 */
@Injectable()
export class OperatorPauses {
  private readonly switches: EntityCollection<Switch>;

  constructor(connection: Connection) {
    this.switches = new EntityCollection(connection, schema);
  }

  /** Whether nothing may be signed for a job. */
  async stop({ execution }: LeasedExecution): Promise<boolean> {
    return (await this.of(execution)) !== null;
  }

  /** The pause that stops a job: its own, or that of all. */
  async of(execution: Execution): Promise<OperatorPause | null> {
    return execution.operatorPause ?? (await this.ofAll());
  }

  async ofAll(): Promise<OperatorPause | null> {
    const [row] = await this.switches.list({ _id: 'all' });
    return row?.pause ?? null;
  }

  async setAll(pause: OperatorPause | null, session: ClientSession): Promise<void> {
    await this.switches.rows.updateOne({ _id: 'all' }, { $set: { pause } }, { upsert: true, session });
  }
}
