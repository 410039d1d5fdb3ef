import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { honestReceipt, OTHER_KEY, signedBy, WALLET_KEY } from '../honest-receipt.fixture.ts';
import { checkReceipt, EndpointSilentError, knownPace } from './check-receipt.ts';

let server: Server;
let url: URL;
let asked: number;
/** The endpoint's answer to every request. */
let answer: { readonly error: object } | { readonly result: string };

beforeEach(async () => {
  asked = 0;
  answer = { error: { code: -32_601, message: 'no such method' } };
  server = createServer((request, response) => {
    asked += 1;
    request.resume().on('end', () => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...answer }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

afterEach(async () => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
  await new Promise((resolve) => server.close(resolve));
});

const nothing = () => undefined;

describe('checkReceipt', () => {
  it('makes no request for an unsigned file', async () => {
    const file = await signedBy(OTHER_KEY, honestReceipt(1).receipt);
    expect(await checkReceipt(file, { url }, nothing)).toEqual({
      verdict: {
        broken: { rule: 'signature', problem: expect.any(String) },
        cautions: [],
        service: '',
        proven: [],
        asserted: [],
        unknown: [],
      },
    });
    expect(asked).toBe(0);
  });

  it('reports false claims of a signed file', async () => {
    answer = { result: `0x${'00'.repeat(32)}` };
    const { receipt } = honestReceipt(1);
    const checked = await checkReceipt(await signedBy(WALLET_KEY, receipt), { url }, nothing);
    expect(checked).toMatchObject({ verdict: { broken: { rule: 'chain' } }, receipt });
  });

  it('names a failing endpoint and judges nothing', async () => {
    const file = await signedBy(WALLET_KEY, honestReceipt(1).receipt);
    const failure = checkReceipt(file, { url }, nothing);
    await expect(failure).rejects.toThrow(EndpointSilentError);
    await expect(failure).rejects.toMatchObject({
      name: 'EndpointSilentError',
      message: expect.stringMatching(/^the endpoint 127\.0\.0\.1:\d+ does not answer as needed: .+$/),
      cause: expect.objectContaining({ message: expect.stringContaining('no such method') }),
    });
    expect(new EndpointSilentError(url, new Error('first line\nsecond')).message).toBe(
      `the endpoint ${url.host} does not answer as needed: first line`,
    );
    expect(new EndpointSilentError(url, 'gone').message).toContain('as needed: gone');
  });

  it('retries for half a minute within the limit', async () => {
    const file = await signedBy(WALLET_KEY, honestReceipt(1).receipt);
    const began: number[] = [];
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    vi.stubGlobal('fetch', async () => {
      began.push(performance.now());
      return new Response('', { status: 503 });
    });
    const failure = expect(checkReceipt(file, { url, requestsPerMinute: 60 }, nothing)).rejects.toThrow(
      EndpointSilentError,
    );
    await vi.runAllTimersAsync();
    await failure;
    // Delays double from half a second on; the limit keeps requests at least a second apart.
    expect(began).toEqual([0, 1000, 2000, 4000, 8000, 16_000, 32_000]);
  });
});

it('knows the public endpoints’ limit', () => {
  const paces = ['rpc.hyperliquid.xyz', 'rpc.hyperliquid-testnet.xyz', 'node.example'].map((host) =>
    knownPace(new URL(`https://${host}/evm`)),
  );
  expect(paces).toEqual([90, 90, undefined]);
});
