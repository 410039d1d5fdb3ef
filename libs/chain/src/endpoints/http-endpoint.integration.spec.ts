import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { HttpRequestError, ResponseBodyTooLargeError, RpcRequestError, TimeoutError } from 'viem';
import { afterEach, expect, it } from 'vitest';
import { wireBlock, wireTransaction } from '../answers/wire-answers.fixture.ts';
import { meaningOf, speaksAgainstEndpoint } from '../error-meaning.ts';
import { httpEndpoint } from './http-endpoint.ts';
import { MalformedAnswerError, TooManyRequestsError } from './request-outcome.ts';

const CALL = { method: 'eth_getBalance', params: ['0x00', 'latest'] } as const;
const BLOCK = { method: 'eth_getBlockByNumber', params: ['0x1', true] } as const;
const PATIENCE_MS = 10_000;

let server: Server | undefined;

afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => server?.close(resolve) ?? resolve(undefined));
  server = undefined;
});

/** An endpoint with a key in its URL, and a server with this answer. */
async function endpoint(answer: RequestListener, { timeoutMs = PATIENCE_MS, userInfo = '' } = {}) {
  const started = createServer(answer);
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  return httpEndpoint(`http://${userInfo}127.0.0.1:${(started.address() as AddressInfo).port}/v1/key`, timeoutMs);
}

const filledBlock = (input: string) => ({ ...wireBlock(1), transactions: [{ ...wireTransaction(), input }] });
const json = (body: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, ...(body as object) });

it('reads the answer of a block full of calldata', async () => {
  const result = filledBlock('0x'.padEnd(15_000_000, '0'));
  const request = await endpoint((_, response) => void response.end(json({ result })));
  expect(await request(BLOCK)).toEqual(result);
});

it('reads a compressed answer', async () => {
  const request = await endpoint((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(json({ result: '0x1' })));
  });
  expect(await request(CALL)).toBe('0x1');
});

it('stops reading an answer that never ends', async () => {
  let written = 0;
  const request = await endpoint((_, response) => {
    const more = () => {
      while (!response.destroyed && response.write('0'.repeat(1_000_000))) written += 1;
    };
    response.on('drain', more);
    more();
  });
  await expect(request(BLOCK)).rejects.toThrow(ResponseBodyTooLargeError);
  expect(written).toBeLessThan(100);
});

it.each([
  ['never answers', () => undefined],
  ['stops amid its answer', (_, response) => void response.write('{"jsonrpc":')],
] as const satisfies readonly (readonly [string, RequestListener])[])(
  'times out where the server %s',
  async (_, answer) => {
    const request = await endpoint(answer, { timeoutMs: 100 });
    const failure = await request(CALL).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(TimeoutError);
    expect(String(failure)).not.toContain('key');
  },
);

it('keeps the key of its URL out of every error', async () => {
  const request = await endpoint((_, response) => void response.destroy());
  const failure = await request(CALL).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(HttpRequestError);
  expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toContain('v1/key');
});

it('sends credentials of its URL as a header', async () => {
  let authorization: string | undefined;
  const request = await endpoint(
    ({ headers }, response) => {
      authorization = headers.authorization;
      response.end(json({ result: '0x1' }));
    },
    { userInfo: 'user:p%40ss@' },
  );
  await request(CALL);
  expect(authorization).toBe(`Basic ${Buffer.from('user:p@ss').toString('base64')}`);
});

it('reports an RPC error of any HTTP status', async () => {
  const error = { code: 3, message: 'execution reverted', data: '0x08c379a0' };
  const request = await endpoint((_, response) => void response.writeHead(400).end(json({ error })));
  const failure = await request(CALL).catch((thrown: unknown) => thrown);
  expect(failure).toBeInstanceOf(RpcRequestError);
  expect(failure).toMatchObject({ code: 3, data: '0x08c379a0' });
});

it.each([
  [503, 'passing'],
  [401, 'broken'],
  [301, 'passing'],
] as const)('fails on HTTP status %i', async (status, meaning) => {
  const request = await endpoint((_, response) => void response.writeHead(status).end('<html>'));
  const failure = await request(CALL).catch((error: unknown) => error);
  expect(failure).toMatchObject({ status });
  expect(meaningOf(failure)).toBe(meaning);
});

it('reports how long a rate limit lasts', async () => {
  const request = await endpoint((_, response) => void response.writeHead(429, { 'retry-after': '7' }).end());
  const failure = await request(CALL).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(TooManyRequestsError);
  expect(failure).toMatchObject({ retryAfterMs: 7000 });
});

it.each([
  '',
  'null',
  '[]',
  '"0x1"',
  '<html>',
  '{"jsonrpc":"2.0","id":1,"result":"0x1"',
  json({}),
  json({ id: 2, result: '0x1' }),
  json({ id: null, result: '0x1' }),
  json({ id: '1', result: '0x1' }),
  json({ result: '0x1', error: { code: 3, message: 'execution reverted' } }),
  json({ error: { code: 'revert', message: 'execution reverted' } }),
  json({ error: { code: 3 } }),
  json({ error: 'execution reverted' }),
  json({ id: 2, error: { code: 3, message: 'execution reverted' } }),
  `[${json({ result: '0x1' })}]`,
])('treats %j as a failure of the endpoint', async (text) => {
  const request = await endpoint((_, response) => void response.end(text));
  const failure = await request(CALL).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(MalformedAnswerError);
  expect(speaksAgainstEndpoint(meaningOf(failure), CALL.method)).toBe(true);
});

it.each(['{},', '[],'])('parses no megabytes of %s', async (part) => {
  const request = await endpoint((_, response) => void response.end(`[${part.repeat(1_000_000)}{}]`));
  await expect(request(BLOCK)).rejects.toThrow(MalformedAnswerError);
});

it('bounds an answer by the size of its method', async () => {
  const request = await endpoint((_, response) => void response.end(json({ result: '0x1'.padEnd(70_000, '0') })));
  await expect(request(CALL)).rejects.toThrow(ResponseBodyTooLargeError);
});

it('refuses to call a method without a schema', async () => {
  const request = await endpoint((_, response) => void response.end(json({ result: '0x1' })));
  await expect(request({ method: 'eth_gasPrice' } as never)).rejects.toThrow('eth_gasPrice is not in RPC_METHODS');
});
