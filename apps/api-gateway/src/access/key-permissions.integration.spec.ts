import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENDPOINTS, type Endpoint, OPERATOR_ENDPOINTS } from '@maker/contracts';
import { type NatsPart, startNats } from '@maker/local-stack';
import type { INestMicroservice } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createGateway, type TestedKey, writeApiKeys } from '../gateway.fixture.ts';
import { JOB_ID, listedFixture, STOP_SECRET, TOKEN } from '../service-answers.fixture.ts';
import { services } from '../services.fixture.ts';
import { startServices } from '../start-services.fixture.ts';
import { WatchedApiKeys } from './watched-api-keys.ts';

const KEYS: readonly TestedKey[] = [
  { key: 'key-of-the-shop', name: 'shop', scopes: ['public', 'server'] },
  { key: 'key-of-another-shop', name: 'other-shop', scopes: ['public', 'server'] },
  { key: 'key-in-every-browser', name: 'web', scopes: ['public'] },
  { key: 'key-of-an-operator', name: 'anna', scopes: ['public', 'operator'] },
];
const REVOKED: TestedKey = { key: 'key-of-a-former-shop', name: 'former', scopes: ['public', 'server'] };

/** Callers, each with its key and the key's rights. */
const CALLERS = [
  ['own', 'key-of-the-shop', 'valid'],
  ['other', 'key-of-another-shop', 'valid'],
  ['public', 'key-in-every-browser', 'valid'],
  ['operator', 'key-of-an-operator', 'operator'],
  ['revoked', REVOKED.key, 'none'],
  ['no', '', 'none'],
] as const;

/** Ids of the jobs that each caller lists; a number is the status of the refusal. */
const LISTED: Record<(typeof CALLERS)[number][0], readonly string[] | number> = {
  own: ['1', '2'],
  other: ['3'],
  public: 403,
  operator: ['1', '2', '3', '4'],
  revoked: 401,
  no: 401,
};

const bodies: Record<string, object> = {
  validateToken: { tokenAddress: TOKEN },
  planJob: { tokenAddress: TOKEN, paymentAmount: 0.5 },
  createJob: { tokenAddress: TOKEN, paymentAmount: 0.5 },
  stopJob: { stopSecret: STOP_SECRET },
  startJob: { stopSecret: STOP_SECRET },
  changeReturnAddress: { stopSecret: STOP_SECRET, returnAddress: TOKEN },
};

const idOf = (digit: string) => `job_${digit.repeat(32)}`;

let broker: NatsPart;
let fakes: INestMicroservice;
let folder: string;
let app: NestFastifyApplication;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateway-keys-'));
  const keysFile = writeApiKeys(folder, [...KEYS, REVOKED]);
  broker = await startNats();
  fakes = await startServices(broker.url);
  app = await createGateway({ NATS_URL: broker.url, API_KEYS_FILE: keysFile });
  await app.listen(0, '127.0.0.1');
  writeApiKeys(folder, KEYS);
  app.get(WatchedApiKeys, { strict: false }).reload();
});

afterAll(async () => {
  await app?.close();
  await fakes?.close();
  await broker?.stop();
  rmSync(folder, { recursive: true, force: true });
});

beforeEach(() => {
  services.reset();
  const owners = ['shop', 'shop', 'other-shop', 'web'];
  services.listed = owners.map((owner, index) => ({ owner, job: listedFixture(idOf(`${index + 1}`)) }));
});

const call = (key: string, { method, path }: Pick<Endpoint, 'method' | 'path'>, payload?: object) =>
  app.inject({
    method,
    url: path.replace('{jobId}', JOB_ID),
    ...(payload && { payload }),
    headers: { 'x-api-key': key },
  });

it.each(CALLERS)('opens to %s key what it allows', async (_, key, rights) => {
  for (const [name, endpoint] of Object.entries<Endpoint>(ENDPOINTS)) {
    // The next test has the list. The stream of an unpaid job does not end.
    if (name === 'listJobs' || (name === 'followJob' && rights !== 'none')) continue;
    const { statusCode } = await call(key, endpoint, bodies[name] ?? (endpoint.method === 'POST' ? {} : undefined));
    const refusal = rights === 'none' ? 401 : name in OPERATOR_ENDPOINTS && rights !== 'operator' ? 403 : undefined;
    const expected = endpoint.isPublic || refusal === undefined ? 'admitted' : refusal;
    expect([name, [401, 403].includes(statusCode) ? statusCode : 'admitted']).toEqual([name, expected]);
  }
});

it.each(CALLERS)('lists to a caller with %s key its own jobs', async (caller, key) => {
  const answer = await call(key, ENDPOINTS.listJobs);
  const jobs = (answer.json().jobs ?? []) as { jobId: string }[];
  const listed = LISTED[caller];
  expect(answer.statusCode).toBe(typeof listed === 'number' ? listed : 200);
  expect(jobs.map(({ jobId }) => jobId)).toEqual(typeof listed === 'number' ? [] : listed.map(idOf));
  expect(answer.body).not.toMatch(/stop_|Secret/);
  if (caller === 'public') expect(answer.json().message).toContain("use a key with the scope 'server'");
  const searches = services.requests.filter(({ subject }) => subject === 'job.search');
  expect(searches).toHaveLength(typeof listed === 'number' ? 0 : 1);
  expect(services.actions.map(({ action, operator }) => [action, operator])).toEqual(
    caller === 'operator' ? [['list', 'anna']] : [],
  );
});

it('passes on what a caller searches, never another key', async () => {
  const own = 'key-of-the-shop';
  const at = '2026-01-01T00:00:00.000Z';
  const search = (query: string) => call(own, { method: 'GET', path: `/jobs?${query}` });
  expect((await search(`status=active&createdAfter=${at}&metadata[order]=A-1&limit=7`)).statusCode).toBe(200);
  expect(services.requests.at(-1)?.payload).toEqual({
    status: 'active',
    createdAfter: at,
    metadata: { order: 'A-1' },
    limit: 7,
    apiKeyName: 'shop',
  });
  const refused = [
    'apiKeyName=other-shop',
    'metadata[a]=1&metadata[b]=2',
    'metadata=1',
    'metadata[]=1',
    'after=1',
    'limit=101',
    'status=paid',
  ];
  for (const query of refused) expect([query, (await search(query)).statusCode]).toEqual([query, 400]);
  expect(services.requests).toHaveLength(1);
});
