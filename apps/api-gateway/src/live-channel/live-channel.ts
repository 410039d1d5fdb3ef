import type { JobStatusResponse } from '@maker/contracts';
import { isFinal } from '@maker/rules';
import { LOGGER } from '@maker/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type MessageEvent } from '@nestjs/common';
import type { Logger } from 'pino';
import {
  catchError,
  concatMap,
  defer,
  distinctUntilChanged,
  EMPTY,
  endWith,
  finalize,
  from,
  interval,
  map,
  merge,
  type Observable,
  of,
  Subject,
  share,
  takeUntil,
  takeWhile,
  throttle,
} from 'rxjs';
import { GATEWAY_CONFIGURATION, type GatewayConfiguration } from '../configuration.ts';
import { ApiError } from '../errors/api-error.ts';
import { GatewayMetrics } from '../gateway.metrics.ts';
import { StatusSnapshot } from '../status-snapshot/status-snapshot.ts';

/** Often enough that no proxy takes the connection for idle, ms. */
const HEARTBEAT_MS = 15_000;
const RETRY_AFTER_SECONDS = 30;

const END = Symbol('end');

/**
 * Streams of server-sent events, one per open receipt: the job's status now, then after each event of the job, a
 * comment as heartbeat, and the end when the job has ended. A heartbeat also reads again, since an event may be lost.
 * Stands beside the polls, never instead of them. Source: design § 8.
 */
@Injectable()
export class LiveChannel implements BeforeApplicationShutdown {
  private readonly closing = new Subject<void>();
  private readonly openByAddress = new Map<string, number>();
  private open = 0;

  constructor(
    private readonly snapshot: StatusSnapshot,
    @Inject(GATEWAY_CONFIGURATION) private readonly configuration: GatewayConfiguration,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly metrics: GatewayMetrics,
  ) {}

  /**
   * The messages of one stream. Nothing is held until it is subscribed to.
   * @param address of the client, which may hold only some streams
   * @throws ApiError 429 or 503 when no further stream may be opened
   */
  streamOf(jobId: string, address: string): Observable<MessageEvent> {
    this.assertRoom(address);
    return defer(() => {
      this.count(address, 1);
      return this.messages(jobId).pipe(finalize(() => this.count(address, -1)));
    });
  }

  beforeApplicationShutdown(): void {
    this.closing.next();
  }

  private messages(jobId: string): Observable<MessageEvent> {
    const heartbeats = interval(HEARTBEAT_MS).pipe(share());
    const done = new Subject<void>();
    const updates = merge(of('now'), this.snapshot.changesOf(jobId), heartbeats).pipe(
      // What happens during a read is read once after it, however much it is.
      throttle(() => done, { leading: true, trailing: true }),
      concatMap(() => this.read(jobId).pipe(finalize(() => done.next()))),
      distinctUntilChanged((before, after) => JSON.stringify(before) === JSON.stringify(after)),
      takeWhile((status) => !isFinal(status.status), true),
      map((status): MessageEvent => ({ type: 'status', data: status })),
      endWith(END),
    );
    const comments = heartbeats.pipe(map((): MessageEvent => ({ comment: 'heartbeat' })));
    return merge(updates, comments).pipe(
      takeWhile((message): message is MessageEvent => message !== END),
      takeUntil(this.closing),
    );
  }

  /** A failed read is left out; the next event or heartbeat reads again. */
  private read(jobId: string): Observable<JobStatusResponse> {
    return from(this.snapshot.status(jobId)).pipe(
      catchError((error: unknown) => {
        this.logger.warn({ err: error, jobId }, 'a live channel could not read its job');
        return EMPTY;
      }),
    );
  }

  private assertRoom(address: string): void {
    if ((this.openByAddress.get(address) ?? 0) >= this.configuration.LIVE_MAX_STREAMS_PER_CLIENT) {
      throw new ApiError('TOO_MANY_REQUESTS', 'Too many live channels are open from this address', RETRY_AFTER_SECONDS);
    }
    if (this.open >= this.configuration.LIVE_MAX_STREAMS) {
      throw new ApiError('SERVICE_UNAVAILABLE', 'No further live channel can be opened now', RETRY_AFTER_SECONDS);
    }
  }

  private count(address: string, change: 1 | -1): void {
    this.open += change;
    this.metrics.openStreams(this.open);
    const ofAddress = (this.openByAddress.get(address) ?? 0) + change;
    if (ofAddress > 0) this.openByAddress.set(address, ofAddress);
    else this.openByAddress.delete(address);
  }
}
