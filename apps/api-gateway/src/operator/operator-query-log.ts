import { randomUUID } from 'node:crypto';
import { type OperatorQueryName, recordOperatorAction } from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { Injectable } from '@nestjs/common';

/** What an operator asks for, of which job, and why. */
export interface LoggedQuery {
  readonly action: OperatorQueryName;
  /** Absent where it concerns all jobs. */
  readonly jobId?: string;
  /** Name of the API key. */
  readonly operator: string;
  readonly reason: string | undefined;
}

/** Writes down what operators ask for, before they see it: what cannot be written is not shown. */
@Injectable()
export class OperatorQueryLog {
  constructor(private readonly requests: RequestClient) {}

  /** @throws RequestFailedError such as `JOB_NOT_FOUND` */
  async record({ reason, ...query }: LoggedQuery): Promise<void> {
    const entry = { ...query, actionId: randomUUID(), kind: 'looked_up' as const, ...(reason && { reason }) };
    await this.requests.request(recordOperatorAction, entry);
  }
}
