import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { createChainClient, verifyChainId } from './client.ts';
import { FaultyNode } from './endpoints/faulty-node.fixture.ts';
import type { RequestOutcome } from './endpoints/request-outcome.ts';
import { networkOf } from './networks.ts';

const network = networkOf(31337);
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** An endpoint with the same answer to every request. */
async function endpoint(status: number, answer: object, onHeaders?: (authorization?: string) => void): Promise<string> {
  const server = createServer(async (request, response) => {
    onHeaders?.(request.headers.authorization);
    const { id } = (await json(request)) as { readonly id: number };
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function client(rpcUrls: string[], seen: [string, RequestOutcome, number][] = []) {
  return createChainClient({
    network,
    rpcUrls,
    retryCount: 0,
    onRequest: (method, outcome, _ms, endpoint) => seen.push([method, outcome, endpoint]),
  });
}

describe('createChainClient', () => {
  it('tries the next endpoint and reports each attempt', async () => {
    const seen: [string, RequestOutcome, number][] = [];
    const limited = await endpoint(429, { error: { code: -32005, message: 'slow down' } });
    const good = await endpoint(200, { result: '0x7a69' });
    expect(await client([limited, good], seen).getChainId()).toBe(31337);
    expect(seen).toContainEqual(['eth_chainId', 'rate_limited', 0]);
    expect(seen.at(-1)).toEqual(['eth_chainId', 'ok', 1]);
  });

  it('separates a reverting contract from a failing endpoint', async () => {
    const seen: [string, RequestOutcome, number][] = [];
    const reverting = await FaultyNode.start();
    reverting.fault = ({ method }) =>
      method === 'eth_call' ? { error: { code: 3, message: 'execution reverted', data: '0x' } } : undefined;
    await expect(client([reverting.url], seen).call({ to: network.multicall3 })).rejects.toThrow();
    await reverting.stop();
    expect(seen).toEqual([
      ['eth_chainId', 'ok', 0],
      ['eth_call', 'reverted', 0],
    ]);
  });

  it("keeps an endpoint's key out of every error", async () => {
    const broken = new URL(await endpoint(500, {}));
    broken.username = 'someone';
    broken.password = 'canary-password';
    const url = `${broken.href}v2/canary-key?token=canary-token`;
    const error = await client([url])
      .getBlockNumber()
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Error);
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('canary');
    expect(String(error)).not.toContain('canary');
  });

  it('sends the credentials of a URL as a header', async () => {
    let authorization: string | undefined;
    const url = new URL(await endpoint(200, { result: '0x7a69' }, (value) => (authorization = value)));
    url.username = 'someone';
    url.password = 'secret';
    await client([url.href]).getChainId();
    expect(authorization).toBe(`Basic ${Buffer.from('someone:secret').toString('base64')}`);
  });
});

describe('verifyChainId', () => {
  it('rejects an endpoint of another chain', async () => {
    const mainnet = await endpoint(200, { result: '0x3e7' });
    await expect(verifyChainId(client([mainnet]), 31337)).rejects.toMatchObject({ code: 'WRONG_CHAIN' });
  });

  it('does not treat silence as another chain', async () => {
    const broken = await endpoint(500, {});
    await expect(verifyChainId(client([broken]), 31337)).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' });
  });
});
