import { declareMetrics, type MetricsRegistry, reading } from '@maker/service-kit';

/** Whoever finds no room looks again within this time, unless something else holds it up meanwhile; ms of the chain's clock. */
const LOOKS_AGAIN_MS = 10_000;

/** How many transactions wait for room in the share of the gas of the minute. Source: docs/adr/0033. */
export class RoomMetrics {
  /** By job, when it last found none, ms of the chain's clock. */
  private readonly waiting = new Map<string, number>();

  /** @param chainTimeMs time of the newest block, ms */
  constructor(registry: MetricsRegistry, chainTimeMs: () => number) {
    declareMetrics(registry, {
      maker_execution_waiting_for_room: reading(
        'Executions of this process whose next transaction is due and waits for room in the share of the gas of the minute.',
        async () => this.count(chainTimeMs()),
      ),
    });
  }

  /** A job with something to send looked for room. @param hasRoom for all that is due @param nowMs of the chain's clock */
  found(jobId: string, hasRoom: boolean, nowMs: number): void {
    if (hasRoom) this.waiting.delete(jobId);
    else this.waiting.set(jobId, nowMs);
  }

  private count(chainTimeMs: number): number {
    for (const [jobId, lookedAtMs] of this.waiting) {
      if (lookedAtMs < chainTimeMs - LOOKS_AGAIN_MS) this.waiting.delete(jobId);
    }
    return this.waiting.size;
  }
}
