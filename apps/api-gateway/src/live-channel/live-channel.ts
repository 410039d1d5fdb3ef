import type { ServerResponse } from 'node:http';
import type { JobStatusResponse } from '@maker/contracts';
import { isFinal } from '@maker/rules';
import { Logger } from '@maker/service-kit';
import { type BeforeApplicationShutdown, Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { GATEWAY_CONFIGURATION, type GatewayConfiguration } from '../configuration.ts';
import { ApiError } from '../errors/api-error.ts';
import { GatewayMetrics } from '../gateway.metrics.ts';
import { StatusSnapshot } from '../status-snapshot/status-snapshot.ts';

/** Between two heartbeats of a channel: often enough that no proxy takes the connection for idle. Each second has its share of the channels. */
const HEARTBEAT_SECONDS = 15;
const HEARTBEAT = ': heartbeat\n\n';
const RETRY_AFTER_SECONDS = 30;
/** Channels open at once from one client address; a page without one polls. */
export const MOST_OF_ADDRESS = 20;
/** What a client may leave unread before it is let go, bytes: about a hundred messages. */
const MOST_UNREAD_BYTES = 256 * 1024;

/** A stream of one open page. */
interface Channel {
  readonly job: FollowedJob;
  readonly response: ServerResponse;
  /** The last message, which is not sent twice. */
  sent: string | undefined;
  /** Gives its place back. */
  readonly leave: () => void;
}

/** A job that pages have open. */
interface FollowedJob {
  readonly jobId: string;
  readonly channels: Set<Channel>;
  /** Channels that are about to be opened. */
  opening: number;
  /** How often something happened to it. */
  changes: number;
  isRead: boolean;
  known: Known | undefined;
}

/** A status of a job. */
interface Known {
  readonly status: JobStatusResponse;
  /** As channels send it. */
  readonly message: string;
  /** Ms of a clock that nobody sets. */
  readonly askedAtMs: number;
}

/**
 * Streams of server-sent events, one per open receipt: the job's status now, then after each event of the job, a
 * comment as heartbeat, and the end when the job has ended. A heartbeat also reads again what an event may have been lost of.
 * A channel that hears nothing costs its socket and a comment in fifteen seconds: thousands are open on one gateway.
 * Stands beside the polls, never instead of them. Source: design § 8.
 */
@Injectable()
export class LiveChannel implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly jobs = new Map<string, FollowedJob>();
  /** Whose heartbeat is in which second. */
  private readonly beats = Array.from({ length: HEARTBEAT_SECONDS }, () => new Set<Channel>());
  private second = 0;
  private readonly openByAddress = new Map<string, number>();
  private places = 0;
  private opened = 0;
  private closing = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly snapshot: StatusSnapshot,
    @Inject(GATEWAY_CONFIGURATION) private readonly configuration: GatewayConfiguration,
    private readonly logger: Logger,
    private readonly metrics: GatewayMetrics,
  ) {
    snapshot.onChange((jobId) => this.changed(jobId));
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.beat(), 1000);
  }

  beforeApplicationShutdown(): void {
    this.closing = true;
    clearInterval(this.timer);
    for (const { channels } of this.jobs.values()) for (const channel of channels) this.end(channel);
  }

  /**
   * Opens a channel, which begins with the job's status now.
   * @param address of the client, which may hold only some streams
   * @param begin sends the head of the answer; called once there is something to say
   * @throws ApiError 429 or 503 when no further stream may be opened @throws RequestFailedError `JOB_NOT_FOUND`
   */
  async open(jobId: string, address: string, begin: () => ServerResponse): Promise<void> {
    const leave = this.takePlace(address);
    const job = this.follow(jobId);
    try {
      const before = job.changes;
      const known = await this.read(jobId);
      const response = begin();
      if (response.destroyed || this.closing) {
        response.end();
        leave();
        return;
      }
      const channel: Channel = { job, response, sent: undefined, leave };
      this.add(channel);
      this.tell(channel, known);
      if (job.changes !== before) void this.readAgain(job);
      else job.known = known;
    } catch (error) {
      leave();
      throw error;
    } finally {
      job.opening -= 1;
      this.forgetIdle(job);
    }
  }

  private add(channel: Channel): void {
    const { job, response } = channel;
    job.channels.add(channel);
    this.opened += 1;
    this.beats[this.opened % HEARTBEAT_SECONDS]?.add(channel);
    response.socket?.setKeepAlive(true);
    response.on('close', () => this.remove(channel));
    // A write that came too late: that it is closed is told as well.
    response.on('error', (error) => this.logger.debug({ err: error, jobId: job.jobId }, 'live channel broken'));
  }

  private changed(jobId: string): void {
    const job = this.jobs.get(jobId);
    if (!job) return;
    job.changes += 1;
    void this.readAgain(job);
  }

  private beat(): void {
    this.second = (this.second + 1) % HEARTBEAT_SECONDS;
    for (const channel of this.beats[this.second] ?? []) {
      this.write(channel, HEARTBEAT);
      const { job } = channel;
      if (!job.known || !this.snapshot.isStillSo(job.known.status, job.known.askedAtMs)) void this.readAgain(job);
    }
  }

  /** What happens during a read is read once after it, however much it is. A read that fails is left out: the next event or heartbeat reads again. */
  private async readAgain(job: FollowedJob): Promise<void> {
    if (job.isRead) return;
    job.isRead = true;
    let before: number;
    do {
      before = job.changes;
      try {
        job.known = await this.read(job.jobId);
        for (const channel of job.channels) this.tell(channel, job.known);
      } catch (error) {
        this.logger.warn({ err: error, jobId: job.jobId }, 'live channel failed to read its job');
      }
    } while (job.changes !== before && job.channels.size > 0);
    job.isRead = false;
  }

  private async read(jobId: string): Promise<Known> {
    const askedAtMs = performance.now();
    const status = await this.snapshot.status(jobId);
    return { status, message: `event: status\ndata: ${JSON.stringify(status)}\n\n`, askedAtMs };
  }

  private tell(channel: Channel, { status, message }: Known): void {
    if (message !== channel.sent) this.write(channel, message);
    channel.sent = message;
    if (isFinal(status.status)) this.end(channel);
  }

  private write({ response }: Channel, text: string): void {
    response.write(text);
    if (response.writableLength > MOST_UNREAD_BYTES) response.destroy();
  }

  private end(channel: Channel): void {
    this.remove(channel);
    channel.response.end();
  }

  private remove(channel: Channel): void {
    channel.job.channels.delete(channel);
    for (const beat of this.beats) beat.delete(channel);
    channel.leave();
    this.forgetIdle(channel.job);
  }

  private follow(jobId: string): FollowedJob {
    const job = this.jobs.get(jobId) ?? {
      jobId,
      channels: new Set(),
      opening: 0,
      changes: 0,
      isRead: false,
      known: undefined,
    };
    job.opening += 1;
    this.jobs.set(jobId, job);
    return job;
  }

  private forgetIdle({ jobId, channels, opening }: FollowedJob): void {
    if (channels.size === 0 && opening === 0) this.jobs.delete(jobId);
  }

  /** @returns what gives the place back, once */
  private takePlace(address: string): () => void {
    if ((this.openByAddress.get(address) ?? 0) >= MOST_OF_ADDRESS) {
      throw new ApiError('TOO_MANY_REQUESTS', 'Too many live channels are open from this address', RETRY_AFTER_SECONDS);
    }
    if (this.closing || this.places >= this.configuration.LIVE_MAX_STREAMS) {
      throw new ApiError('SERVICE_UNAVAILABLE', 'No further live channel can be opened now', RETRY_AFTER_SECONDS);
    }
    this.count(address, 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.count(address, -1);
      isTaken = false;
    };
  }

  private count(address: string, change: 1 | -1): void {
    this.places += change;
    this.metrics.openStreams(this.places);
    const ofAddress = (this.openByAddress.get(address) ?? 0) + change;
    if (ofAddress > 0) this.openByAddress.set(address, ofAddress);
    else this.openByAddress.delete(address);
  }
}
