import { CHAIN_REACH_BEAT_MS, CHAIN_REACH_SUBJECT, type ChainReachMessage } from '@maker/contracts';
import { NATS_CONNECTION } from '@maker/messaging';
import { Clock, Logger, PeriodicTask, type RpcOutcome, SteadyClock } from '@maker/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';

/** Time without an answer after which the chain counts as unreachable, ms: the next endpoint answers sooner. */
const NOTICED_AFTER_MS = 15_000;

/** A replica that has sent no request for this time knows nothing, ms. */
const KNOWN_FOR_MS = 30_000;

/** Outcomes in which the endpoint has answered. */
const ANSWERS: readonly RpcOutcome[] = ['ok', 'reverted', 'refused'];

/** A moment by both clocks, ms. */
interface Moment {
  readonly at: number;
  readonly steadyMs: number;
}

/**
 * Publishes to every gateway since when no RPC endpoint answers, so that a page can say it. The requests of the scan show it; a standby
 * replica sends none and publishes nothing.
 */
@Injectable()
export class ChainReach implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task: PeriodicTask;
  /** Beginning of the current series of failed requests. */
  private failingSince: Moment | undefined;
  private lastRequestMs = Number.NEGATIVE_INFINITY;
  /** Called after each request, whether it failed or not. */
  onRequest: () => void = () => undefined;

  constructor(
    @Inject(NATS_CONNECTION) private readonly nats: { publish(subject: string, body: string): void },
    private readonly clock: Clock,
    private readonly steady: SteadyClock,
    logger: Logger,
  ) {
    this.task = new PeriodicTask('chain reach', CHAIN_REACH_BEAT_MS, logger, async () => this.publish());
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.task.stop();
  }

  /** Records how a request ended. @param tookMs ms */
  requested(outcome: RpcOutcome, tookMs: number): void {
    this.onRequest();
    this.lastRequestMs = this.steady.now();
    if (ANSWERS.includes(outcome)) this.failingSince = undefined;
    else this.failingSince ??= { at: this.clock.now() - tookMs, steadyMs: this.lastRequestMs - tookMs };
  }

  /** The message for the gateways; undefined if this replica does not know. */
  message(): ChainReachMessage | undefined {
    const nowMs = this.steady.now();
    if (nowMs - this.lastRequestMs > KNOWN_FOR_MS) return undefined;
    if (!this.failingSince || nowMs - this.failingSince.steadyMs < NOTICED_AFTER_MS) return {};
    return { unreachableSince: new Date(this.failingSince.at).toISOString() };
  }

  private publish(): void {
    const message = this.message();
    if (message) this.nats.publish(CHAIN_REACH_SUBJECT, JSON.stringify(message));
  }
}
