import type { ServerResponse } from 'node:http';
import type { JobStatusResponse } from '@maker/contracts';
import { isFinal } from '@maker/rules';
import { Logger } from '@maker/service-kit';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { ApiError } from '../errors/api-error.ts';
import { GatewayMetrics } from '../gateway.metrics.ts';
import { StatusSnapshot } from '../status-snapshot/status-snapshot.ts';

/** Time between two heartbeats of a channel, s: short enough that no proxy closes an idle connection. Each second serves a share of the channels. */
const HEARTBEAT_SECONDS = 15;
const HEARTBEAT = ': heartbeat\n\n';
const RETRY_AFTER_SECONDS = 30;
/** Most open channels of a gateway: ten thousand take 394 MiB of its 512 MiB (docs/scaling.md). */
const MOST_OPEN = 10_000;
/** Most open channels of one client address; a page without a channel polls. */
export const MOST_OF_ADDRESS = 20;
/** Most unread bytes of a client before its channel is closed: about a hundred messages. */
const MOST_UNREAD_BYTES = 256 * 1024;

/** A stream of one open page. */
interface Channel {
  readonly job: FollowedJob;
  readonly response: ServerResponse;
  /** The last message, so that it is not sent twice. */
  sent: string | undefined;
  /** Frees its place. */
  readonly leave: () => void;
}

/** A job with open channels. */
interface FollowedJob {
  readonly jobId: string;
  readonly channels: Set<Channel>;
  /** Number of channels that are being opened. */
  opening: number;
  /** Number of changes so far. */
  changes: number;
  isRead: boolean;
  known: Known | undefined;
}

/** A status of a job. */
interface Known {
  readonly status: JobStatusResponse;
  /** The status as a message of the stream. */
  readonly message: string;
  /** Time of the read by the monotonic clock, ms. */
  readonly readAtMs: number;
}

/**
 * Streams of server-sent events, one per open receipt. A stream has the job's status now and after each event of the job, a
 * comment as heartbeat, and ends when the job has ended. With a heartbeat, the gateway reads the job again if it may have lost
 * an event. An idle channel costs its socket and a comment in 15 s, so one gateway can have thousands.
 * Pages still poll: the channel does not replace the polls. Source: design § 8.
 */
@Injectable()
export class LiveChannel implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly jobs = new Map<string, FollowedJob>();
  /** Channels by the second of their heartbeat. */
  private readonly beats = Array.from({ length: HEARTBEAT_SECONDS }, () => new Set<Channel>());
  private second = 0;
  private readonly openByAddress = new Map<string, number>();
  private places = 0;
  private opened = 0;
  private closing = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly snapshot: StatusSnapshot,
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
   * Opens a channel and sends the job's status.
   * @param address of the client, whose number of streams is limited
   * @param begin sends the head of the answer; called after the first read
   * @throws ApiError 429 or 503 if no further stream is allowed @throws RequestFailedError `JOB_NOT_FOUND`
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
      this.send(channel, known);
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
    // A write after the client closed; the event `close` follows.
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
      if (!job.known || !this.isNewest(job.known)) void this.readAgain(job);
    }
  }

  private isNewest({ status, readAtMs }: Known): boolean {
    const isSameReach = status.chainUnreachableSince === this.snapshot.chainUnreachableSince;
    return isSameReach && this.snapshot.isStillValid(status, readAtMs);
  }

  /** Reads the job, and once more if it changed during the read. After a failure, the next event or heartbeat reads again. */
  private async readAgain(job: FollowedJob): Promise<void> {
    if (job.isRead) return;
    job.isRead = true;
    let before: number;
    do {
      before = job.changes;
      try {
        job.known = await this.read(job.jobId);
        for (const channel of job.channels) this.send(channel, job.known);
      } catch (error) {
        this.logger.warn({ err: error, jobId: job.jobId }, 'live channel failed to read its job');
      }
    } while (job.changes !== before && job.channels.size > 0);
    job.isRead = false;
  }

  private async read(jobId: string): Promise<Known> {
    const readAtMs = performance.now();
    const status = await this.snapshot.status(jobId);
    return { status, message: `event: status\ndata: ${JSON.stringify(status)}\n\n`, readAtMs };
  }

  private send(channel: Channel, { status, message }: Known): void {
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

  /** Takes a place. @returns a function that frees it, once */
  private takePlace(address: string): () => void {
    if ((this.openByAddress.get(address) ?? 0) >= MOST_OF_ADDRESS) {
      throw new ApiError('TOO_MANY_REQUESTS', 'Too many live channels are open from this address', RETRY_AFTER_SECONDS);
    }
    if (this.closing || this.places >= MOST_OPEN) {
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
