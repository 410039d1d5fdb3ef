import { randomUUID } from 'node:crypto';
import { type OperatorLookUp, recordOperatorAction } from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { Inject, Injectable } from '@nestjs/common';
import { GATEWAY_CONFIGURATION, type GatewayConfiguration } from '../configuration.ts';

/** What an operator looks up, of which job, and why. */
export interface LookUp {
  readonly action: OperatorLookUp;
  /** Absent where it concerns all jobs. */
  readonly jobId?: string;
  /** Name of the API key. */
  readonly operator: string;
  readonly reason: string | undefined;
}

/** Writes down what operators look up, before they see it: what cannot be written is not shown. */
@Injectable()
export class OperatorLookUps {
  constructor(
    private readonly requests: RequestClient,
    @Inject(GATEWAY_CONFIGURATION) private readonly configuration: GatewayConfiguration,
  ) {}

  /** @throws RequestFailedError such as `JOB_NOT_FOUND` */
  async record({ reason, ...lookUp }: LookUp): Promise<void> {
    const entry = { ...lookUp, actionId: randomUUID(), kind: 'looked_up' as const, ...(reason && { reason }) };
    await this.requests.request(recordOperatorAction, entry, this.configuration.REQUEST_TIMEOUT_MS);
  }
}
