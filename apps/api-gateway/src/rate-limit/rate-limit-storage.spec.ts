import { createLogger, MetricsRegistry } from '@maker/service-kit';
import { beforeEach, describe, expect, it } from 'vitest';
import { GatewayMetrics } from '../gateway.metrics.ts';
import { type Claim, type ClaimedWindows, LateWindowsError } from './claimed-windows.ts';
import { RateLimitStorage } from './rate-limit-storage.ts';

const WINDOW_MS = 60_000;
const LIMIT = 10;

let now: number;
let lines: string[];
let registry: MetricsRegistry;
let shared: FakeWindows;
let storage: RateLimitStorage;

/** A fake that grants three requests per claim. */
class FakeWindows implements ClaimedWindows {
  claimed = 0;
  claims = 0;
  broken = false;

  async claim(_key: string, limit: number): Promise<Claim> {
    this.claims += 1;
    if (this.broken) throw new Error('gone');
    const granted = Math.min(3, limit - this.claimed);
    this.claimed += granted;
    return { granted, claimed: this.claimed, leftMs: WINDOW_MS };
  }

  async prepare(): Promise<void> {}

  async close(): Promise<void> {}
}

function newStorage(windows: ClaimedWindows | undefined): RateLimitStorage {
  registry = new MetricsRegistry();
  const logger = createLogger('api-gateway', 'info', { write: (line) => lines.push(line) });
  return new RateLimitStorage(windows, { now: () => now }, new GatewayMetrics(registry), logger);
}

const hit = (key = 'key') => storage.increment(key, WINDOW_MS, LIMIT);
const checks = async (labels: string) =>
  Number(new RegExp(`maker_rate_limit_checks_total\\{${labels}\\} (\\d+)`).exec(await registry.metrics())?.[1]);

beforeEach(() => {
  now = 1_000_000;
  lines = [];
  shared = new FakeWindows();
  storage = newStorage(shared);
});

describe('RateLimitStorage', () => {
  it('admits exactly the limit in a window', async () => {
    for (let count = 0; count < LIMIT; count++) expect((await hit()).isBlocked).toBe(false);
    expect(await hit()).toMatchObject({ isBlocked: true, secondsLeft: 60 });
    now += WINDOW_MS - 1;
    expect(await hit()).toMatchObject({ isBlocked: true, secondsLeft: 1 });
    now += 1;
    shared.claimed = 0;
    expect((await hit()).isBlocked).toBe(false);
    expect(await checks('counter="shared",outcome="passed"')).toBe(LIMIT + 1);
    expect(await checks('counter="shared",outcome="limited"')).toBe(2);
  });

  it('claims shares, and none for a client over its limit', async () => {
    for (let count = 0; count < 50; count++) await hit();
    // 3 + 3 + 3 + 1, and one claim that grants nothing.
    expect(shared.claims).toBe(5);
  });

  it('claims once for concurrent requests', async () => {
    const verdicts = await Promise.all(Array.from({ length: 20 }, () => hit()));
    expect(verdicts.filter(({ isBlocked }) => !isBlocked)).toHaveLength(LIMIT);
    expect(shared.claims).toBe(5);
  });

  it('reports how many requests are left', async () => {
    expect((await hit()).totalHits).toBe(1);
    expect((await hit()).totalHits).toBe(2);
  });

  it('counts locally while the database is down', async () => {
    shared.broken = true;
    for (let count = 0; count < LIMIT; count++) expect((await hit()).isBlocked).toBe(false);
    expect((await hit()).isBlocked).toBe(true);
    expect(shared.claims).toBe(1);
    now += 5000;
    await hit();
    expect(shared.claims).toBe(2);
    expect(lines.filter((line) => line.includes('is away'))).toHaveLength(1);
    expect(await checks('counter="replica",outcome="limited"')).toBe(2);
    shared.broken = false;
    now += 5000;
    // The shares claimed now cover the requests that passed without one.
    expect((await hit()).isBlocked).toBe(true);
    expect(lines.at(-1)).toContain('rate limit shared again');
  });

  it('continues from known claims if the database fails', async () => {
    for (let count = 0; count < 4; count++) await hit();
    shared.broken = true;
    for (let count = 4; count < LIMIT; count++) expect((await hit()).isBlocked).toBe(false);
    expect((await hit()).isBlocked).toBe(true);
  });

  it('passes one share on credit while a claim is unanswered', async () => {
    const answer = Promise.withResolvers<Claim>();
    shared.claim = () => answer.promise;
    const requests = Array.from({ length: 5 }, () => hit());
    expect((await Promise.race(requests)).isBlocked).toBe(false);
    answer.resolve({ granted: 3, claimed: LIMIT, leftMs: WINDOW_MS });
    shared.claim = async () => ({ granted: 0, claimed: LIMIT, leftMs: WINDOW_MS });
    expect((await Promise.all(requests)).filter(({ isBlocked }) => !isBlocked)).toHaveLength(3);
  });

  it('passes one share and the limit’s pace while late', async () => {
    shared.claim = async () => {
      throw new LateWindowsError(new Error('timed out'));
    };
    const passed = async (count: number) => {
      const verdicts = await Promise.all(Array.from({ length: count }, () => hit()));
      return verdicts.filter(({ isBlocked }) => !isBlocked).length;
    };
    expect(await passed(5)).toBe(1);
    now += WINDOW_MS / LIMIT;
    expect(await passed(5)).toBe(1);
    expect(await checks('counter="replica",outcome="passed"')).toBe(2);
    expect(lines.filter((line) => line.includes('does not answer in time'))).toHaveLength(1);
    // A minute later it still has no burst.
    now += WINDOW_MS;
    expect(await passed(50)).toBeLessThanOrEqual(2);
  });

  it('takes the answer of a late claim', async () => {
    const answer = Promise.withResolvers<Claim>();
    shared.claim = () => answer.promise;
    expect((await hit()).isBlocked).toBe(false);
    answer.resolve({ granted: 3, claimed: LIMIT, leftMs: WINDOW_MS });
    await answer.promise;
    shared.claim = async () => ({ granted: 0, claimed: LIMIT, leftMs: WINDOW_MS });
    const verdicts = [await hit(), await hit(), await hit()];
    expect(verdicts.map(({ isBlocked }) => isBlocked)).toEqual([false, false, true]);
  });

  it('has no second burst after a full one', async () => {
    storage = newStorage(undefined);
    for (let count = 0; count < LIMIT; count++) await hit();
    now += WINDOW_MS;
    expect((await hit()).isBlocked).toBe(true);
    now += WINDOW_MS / LIMIT;
    expect([(await hit()).isBlocked, (await hit()).isBlocked]).toEqual([false, true]);
    now += 2 * WINDOW_MS;
    for (let count = 0; count < LIMIT; count++) expect((await hit()).isBlocked).toBe(false);
  });

  it('gives up soon on a silent database', async () => {
    shared.claim = () => new Promise(() => undefined);
    expect((await hit()).isBlocked).toBe(false);
    expect(lines.at(-1)).toContain('no answer within 200 ms');
  });

  it('works without a database, with a warning', async () => {
    storage = newStorage(undefined);
    expect(lines.at(-1)).toContain('MONGO_URL not set');
    for (let count = 0; count < LIMIT; count++) await hit();
    expect((await hit()).isBlocked).toBe(true);
    expect((await hit('another client')).isBlocked).toBe(false);
  });
});
