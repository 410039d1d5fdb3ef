import type { ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import type { JobStatusResponse } from '@maker/contracts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { GatewayMetrics } from '../gateway.metrics.ts';
import type { StatusSnapshot } from '../status-snapshot/status-snapshot.ts';
import { LiveChannel } from './live-channel.ts';

const JOB = 'job_1';
const HEARTBEAT_MS = 15_000;

/** A page that records received text. With `isReading` false, all text stays unread. */
class Page extends Writable {
  text = '';
  private readonly isReading: boolean;

  constructor(isReading = true) {
    super({ decodeStrings: false });
    this.isReading = isReading;
  }

  override _write(chunk: string, _encoding: string, done: () => void): void {
    this.text += chunk;
    if (this.isReading) done();
  }

  get statuses(): string[] {
    return [...this.text.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data).status);
  }

  get response(): ServerResponse {
    return this as unknown as ServerResponse;
  }
}

describe('the live channel (design § 8)', () => {
  let status: string;
  let reads: number;
  let isSnapshotValid: boolean;
  let answering: Promise<void>;
  let notify: (jobId: string) => void;
  let channel: LiveChannel;

  beforeEach(() => {
    vi.useFakeTimers();
    [status, reads, isSnapshotValid, answering] = ['pending_payment', 0, true, Promise.resolve()];
    const snapshot = {
      onChange: (listener: typeof notify) => {
        notify = listener;
      },
      isStillValid: () => isSnapshotValid,
      status: async () => {
        reads += 1;
        const now = { status } as JobStatusResponse;
        await answering;
        return now;
      },
    };
    const metrics = { openStreams: () => undefined } as unknown as GatewayMetrics;
    const logger = { warn: () => undefined, debug: () => undefined } as never;
    channel = new LiveChannel(snapshot as unknown as StatusSnapshot, logger, metrics);
    channel.onApplicationBootstrap();
  });

  afterEach(() => {
    channel.beforeApplicationShutdown();
    vi.useRealTimers();
  });

  const open = async (page = new Page()) => {
    await channel.open(JOB, '127.0.0.1', () => page.response);
    return page;
  };

  it('sends a heartbeat in 15 s without a request', async () => {
    const pages = [await open(), await open(), await open()];
    expect(reads).toBe(3);
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MS);
    for (const page of pages) expect(page.text.match(/^: heartbeat$/gm)).toHaveLength(1);
    expect(reads).toBe(3);
  });

  it('reads again with a heartbeat after a possible loss', async () => {
    const page = await open();
    status = 'active';
    isSnapshotValid = false;
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MS);
    expect(page.statuses).toEqual(['pending_payment', 'active']);
  });

  it('reads once for all pages of a job', async () => {
    const pages = [await open(), await open()];
    status = 'active';
    notify(JOB);
    notify('job_2');
    await vi.advanceTimersByTimeAsync(0);
    expect(reads).toBe(3);
    notify(JOB);
    await vi.advanceTimersByTimeAsync(0);
    for (const page of pages) expect(page.statuses).toEqual(['pending_payment', 'active']);
  });

  it('sends what changed while a channel opened', async () => {
    const answered = Promise.withResolvers<void>();
    answering = answered.promise;
    const opening = open();
    status = 'active';
    notify(JOB);
    answered.resolve();
    const page = await opening;
    await vi.advanceTimersByTimeAsync(0);
    expect(page.statuses).toEqual(['pending_payment', 'active']);
  });

  it('drops a client with too many unread messages', async () => {
    const page = await open(new Page(false));
    for (let change = 0; change < 8 && !page.destroyed; change += 1) {
      status = `${change}`.repeat(64 * 1024);
      notify(JOB);
      await vi.advanceTimersByTimeAsync(0);
    }
    expect(page.destroyed).toBe(true);
  });
});
