import { chainTestClient, type ExchangeChainPart, startChain } from '@maker/local-stack';
import type { Hex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ChainClient, createChainClient } from '../client.ts';
import { exchangesFileSchema } from '../exchanges/exchanges.ts';
import { networkOf } from '../networks.ts';
import type { Exchange } from '../shapes/shapes.ts';
import { ExchangeWatch } from './exchange-watch.ts';

let chain: ExchangeChainPart;
let client: ChainClient;
let registry: readonly Exchange[];
const requests: string[] = [];
let reported: [id: string, problem: string | undefined][] = [];

beforeAll(async () => {
  chain = await startChain({ exchanges: true });
  const onRequest = (method: string) => requests.push(method);
  client = createChainClient({ network: networkOf(chain.chainId), rpcUrls: [chain.rpcUrl], retryCount: 0, onRequest });
  registry = exchangesFileSchema.parse(chain.exchanges);
});
afterAll(() => chain?.stop());
beforeEach(() => {
  reported = [];
});

const watchOf = (entries: readonly Exchange[]) =>
  new ExchangeWatch(client, entries, { onExchange: (id, problem) => reported.push([id, problem?.message]) });
const ids = (exchanges: readonly { id: string }[]) => exchanges.map(({ id }) => id);
const misconfigured = (exchange: Exchange): Exchange => ({ ...exchange, wrappedNative: chain.tokens.both });

/** design § 7: a wrong exchange is set aside, and the service stops only if none is left. */
describe('ExchangeWatch', () => {
  it('excludes one wrong exchange and names the fault', async () => {
    const [first, ...others] = registry as [Exchange, ...Exchange[]];
    expect(ids(await watchOf([misconfigured(first), ...others]).start())).toEqual(ids(others));
    expect(reported).toHaveLength(registry.length);
    expect(reported[0]).toEqual([first.id, expect.stringContaining('router.WETH() is')]);
    expect(reported.slice(1).every(([, problem]) => problem === undefined)).toBe(true);
  });

  it('refuses to start when none is left, naming each', async () => {
    const failure = await watchOf(registry.map(misconfigured))
      .start()
      .catch((error: Error) => error);
    expect(failure).toMatchObject({ code: 'NO_EXCHANGE_LEFT' });
    for (const { id } of registry) expect(String(failure)).toContain(`'${id}'`);
  });

  it('notices a missing router and its return', async () => {
    const watch = watchOf(registry);
    await watch.start();
    reported = [];
    requests.length = 0;
    expect(ids(await watch.check())).toEqual(ids(registry));
    expect(requests).toEqual(['eth_call']);
    expect(reported).toEqual([]);

    const node = chainTestClient(chain.rpcUrl);
    const address = chain.contracts.camelotRouter;
    const code = (await client.getCode({ address })) as Hex;
    await node.setCode({ address, bytecode: '0x' });
    expect(ids(await watch.check())).toEqual(ids(registry.filter(({ id }) => id !== 'camelot')));
    await watch.check();
    await node.setCode({ address, bytecode: code });
    expect(ids(await watch.check())).toEqual(ids(registry));
    // It reports a changed fault, not every check: the second check reads the code and finds more.
    expect(reported).toEqual([
      ['camelot', expect.stringContaining('router.factory() gives no address')],
      ['camelot', expect.stringContaining('no contract at its router')],
      ['camelot', undefined],
    ]);
  });

  it('changes nothing when the endpoint does not answer', async () => {
    const silent = createChainClient({
      network: networkOf(chain.chainId),
      rpcUrls: ['http://127.0.0.1:1'],
      retryCount: 0,
    });
    const watch = new ExchangeWatch(silent, registry);
    await expect(watch.start()).rejects.toMatchObject({ code: 'CHAIN_UNAVAILABLE' });
    expect(watch.inUse).toEqual([]);
  });
});
