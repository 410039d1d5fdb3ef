import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { ownStackForFile } from '../support/own-stack-for-file.ts';
import { until } from '../support/until.ts';

/** Above the number of twin requests, which must not be limited. */
const LIMIT = 60;
const TWINS = 50;

interface KeyEntry {
  readonly name: string;
  readonly sha256: string;
  readonly scopes: readonly string[];
}

const own = ownStackForFile(
  20,
  { 'api-gateway': { RATE_LIMIT_REQUESTS: String(LIMIT) } },
  { 'api-gateway': 2, job: 2 },
);
let urls: string[];

beforeAll(() => {
  urls = own.running.stack.replicas['api-gateway'].map(({ api }) => api as string);
});

const ask = async (url: string, path: string, apiKey: string) => {
  const response = await fetch(`${url}${path}`, { headers: { 'x-api-key': apiKey } });
  await response.arrayBuffer();
  return response;
};

describe('two replicas of the gateway', () => {
  it('share one limit for a client', async () => {
    const statuses: number[] = [];
    for (let request = 0; request < 2 * LIMIT; request++) {
      const response = await ask(urls[request % 2] as string, '/stats', own.running.stack.apiKey);
      statuses.push(response.status);
      if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(statuses.filter((status) => status === 200)).toHaveLength(LIMIT);
    expect(statuses.filter((status) => status === 429)).toHaveLength(LIMIT);
  });

  it('make one job of 50 parallel twins', async () => {
    const body = JSON.stringify({ tokenAddress: own.running.stack.tokens.both, paymentAmount: 0.5 });
    const headers = {
      'x-api-key': own.running.stack.apiKey,
      'content-type': 'application/json',
      'idempotency-key': randomBytes(16).toString('hex'),
    };
    const answers = await Promise.all(
      Array.from({ length: TWINS }, async (_, twin) => {
        const response = await fetch(`${urls[twin % 2]}/jobs/create`, { method: 'POST', headers, body });
        return { status: response.status, text: await response.text() };
      }),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    const bodies = answers.map(({ text }) => {
      const { stopSecret, ...answer } = JSON.parse(text) as Record<string, unknown>;
      expect(stopSecret).toMatch(/^stop_/);
      return JSON.stringify(answer);
    });
    expect(new Set(bodies).size).toBe(1);
    const jobs = await fetch(`${urls[0]}/operator/jobs`, {
      headers: { 'x-api-key': own.running.stack.operatorApiKey },
    });
    expect(((await jobs.json()) as { jobs: unknown[] }).jobs).toHaveLength(1);
  });

  it('rotate a key without a restart', async () => {
    const file = join(own.running.directory, 'secrets', 'api-keys.json');
    const before: KeyEntry[] = JSON.parse(await readFile(file, 'utf8'));
    const newKey = `maker_public_${randomBytes(24).toString('base64url')}`;
    const sha256 = createHash('sha256').update(newKey).digest('hex');
    const unknownJob = `/jobs/job_${'0'.repeat(32)}/payment`;
    const statuses = (apiKey: string) =>
      Promise.all(urls.map(async (url) => (await ask(url, unknownJob, apiKey)).status));

    expect(await statuses(newKey)).toEqual([401, 401]);
    await writeFile(file, JSON.stringify([...before, { name: 'web', sha256, scopes: ['public'] }]));
    const everywhere = (status: number) => (seen: number[]) => seen.every((one) => one === status);
    await until('the new key in force', () => statuses(newKey), everywhere(404), { everyMs: 1000 });
    expect(await statuses(own.running.stack.apiKey)).toEqual([404, 404]);

    await writeFile(file, '[{"name":');
    const metric = async () =>
      Promise.all(
        own.running.stack.replicas['api-gateway'].map(async ({ ops }) =>
          (await (await fetch(`${ops}/metrics`)).text()).includes('maker_api_key_file_refused 1'),
        ),
      );
    await until('the broken file seen', metric, (seen) => seen.every(Boolean));
    expect(await statuses(newKey)).toEqual([404, 404]);

    const without = before.filter(({ name }) => name !== 'web');
    await writeFile(file, JSON.stringify([...without, { name: 'web', sha256, scopes: ['public'] }]));
    await until('the old key out of force', () => statuses(own.running.stack.apiKey), everywhere(401), {
      everyMs: 1000,
    });
    expect(await statuses(newKey)).toEqual([404, 404]);
  });
});
