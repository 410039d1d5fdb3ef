import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { parseEther } from 'viem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HyperCoreApi, HyperCoreUnavailableError } from './hypercore-api.ts';

const OWNER = `0x${'aa'.repeat(20)}` as const;

let server: Server;
let api: HyperCoreApi;
let answer: { status: number; body: string };
let asked: { path: string | undefined; body: unknown }[];

beforeEach(async () => {
  asked = [];
  server = createServer(async (request, response) => {
    asked.push({ path: request.url, body: JSON.parse(await text(request)) });
    response.writeHead(answer.status).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  api = new HyperCoreApi(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

const balances = (...shown: object[]) => JSON.stringify({ balances: shown });

describe('a read of HyperCore (hyperevm § 1.1)', () => {
  it('reads one address’s HYPE in wei of HyperEVM', async () => {
    const usdc = { coin: 'USDC', token: 0, total: '7.0', hold: '0.0', entryNtl: '0.0' };
    answer = { status: 200, body: balances(usdc, { coin: 'HYPE', token: 150, total: '0.25000001', hold: '0.0' }) };
    expect(await api.hypeBalance(OWNER)).toBe(parseEther('0.25000001'));
    expect(asked).toEqual([{ path: '/info', body: { type: 'spotClearinghouseState', user: OWNER } }]);
    answer = { status: 200, body: balances(usdc) };
    expect(await api.hypeBalance(OWNER)).toBe(0n);
  });

  it.each([
    [429, 'null', /HTTP 429/],
    [200, '<html>', /not answer in JSON/],
    [200, '{"balances":[{"coin":"HYPE","total":"much"}]}', /no spot balances/],
    [200, 'null', /no spot balances/],
  ])('reports a failed read: %i %s', async (status, body, message) => {
    answer = { status, body };
    await expect(api.hypeBalance(OWNER)).rejects.toThrow(HyperCoreUnavailableError);
    await expect(api.hypeBalance(OWNER)).rejects.toThrow(message);
  });
});

describe('a signed action', () => {
  it.each([
    ['{"status":"ok","response":{"type":"default"}}', { kind: 'done' }],
    ['{"status":"err","response":"Insufficient balance"}', { kind: 'refused', words: 'Insufficient balance' }],
  ])('is done or refused: %s', async (body, verdict) => {
    answer = { status: 200, body };
    expect(await api.send({ nonce: 1 })).toEqual(verdict);
    expect(asked).toEqual([{ path: '/exchange', body: { nonce: 1 } }]);
  });

  it('is uncertain, never refused, without an answer', async () => {
    answer = { status: 502, body: '' };
    await expect(api.send({})).rejects.toThrow(HyperCoreUnavailableError);
  });
});
