import type { RequestOutcome } from '@maker/chain';
import { MetricsRegistry } from '@maker/service-kit';
import { Injectable } from '@nestjs/common';
import { Counter, Histogram } from 'prom-client';

const RPC_SECONDS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
const VALIDATION_SECONDS = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What this service tells of its work. */
@Injectable()
export class ValidationMetrics {
  private readonly validations: Counter<'outcome'>;
  private readonly duration: Histogram<'snapshot'>;
  private readonly rpcRequests: Counter<'method' | 'outcome'>;
  private readonly rpcDuration: Histogram<'method'>;

  constructor(registry: MetricsRegistry) {
    const registers = [registry];
    this.validations = new Counter({
      name: 'maker_validation_answers_total',
      help: 'Validations by outcome: valid, the reason of the refusal, or unavailable.',
      labelNames: ['outcome'],
      registers,
    });
    this.duration = new Histogram({
      name: 'maker_validation_duration_seconds',
      help: 'Time to answer a validation, by whether a snapshot was reused.',
      labelNames: ['snapshot'],
      buckets: VALIDATION_SECONDS,
      registers,
    });
    this.rpcRequests = new Counter({
      name: 'maker_validation_rpc_requests_total',
      help: 'Requests to RPC endpoints by method and outcome.',
      labelNames: ['method', 'outcome'],
      registers,
    });
    this.rpcDuration = new Histogram({
      name: 'maker_validation_rpc_duration_seconds',
      help: 'Time of a request to an RPC endpoint by method.',
      labelNames: ['method'],
      buckets: RPC_SECONDS,
      registers,
    });
  }

  /** @param seconds from the request's arrival to its answer */
  answered(outcome: string, snapshot: 'reused' | 'read', seconds: number): void {
    this.validations.inc({ outcome });
    this.duration.observe({ snapshot }, seconds);
  }

  unavailable(): void {
    this.validations.inc({ outcome: 'unavailable' });
  }

  rpcRequest(method: string, outcome: RequestOutcome, ms: number): void {
    this.rpcRequests.inc({ method, outcome });
    this.rpcDuration.observe({ method }, ms / 1000);
  }
}
