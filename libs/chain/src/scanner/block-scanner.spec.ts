import { getEventListeners } from 'node:events';
import type { Hash } from 'viem';
import { afterEach, expect, it, vi } from 'vitest';
import { consumed, numbersOf, reached, scan, upTo, WALLET } from './block-scanner.fixture.ts';
import { scanBlocks } from './block-scanner.ts';
import type { ScanEvent } from './scan-events.ts';
import { SimulatedChain } from './simulated-chain.fixture.ts';
import { WatchedAddresses } from './watched-addresses.ts';
import { pointerOf } from './wire-block.ts';

afterEach(() => vi.useRealTimers());

it('begins at the newest block and leaves no gap', async () => {
  const chain = new SimulatedChain((chain) => chain.mine());
  chain.mine();
  chain.mine();
  const events = await scan(chain, reached(6));
  expect(events.map((event) => event.kind === 'block' && event.block.number)).toEqual([2, 3, 4, 5, 6]);
});

it('catches up every block from its cursor', async () => {
  const chain = new SimulatedChain((chain) => chain.mine());
  const cursor = pointerOf(chain.blocks[0] as never);
  const paid: Hash[] = [];
  for (let block = 1; block <= 300; block++) {
    if (block % 50 === 0) paid.push(chain.pay(WALLET, 5n));
    else chain.mine();
  }
  const events = await scan(chain, reached(305), [cursor]);
  const { blocks, transfers } = consumed(events);
  expect(blocks.map(({ number }) => number)).toEqual(Array.from({ length: 305 }, (_, index) => index + 1));
  expect(transfers).toEqual(paid);
});

it('reads eight blocks ahead, never above the head', async () => {
  const chain = new SimulatedChain((chain) => chain.mine());
  const cursor = pointerOf(chain.blocks[0] as never);
  for (let block = 1; block <= 40; block++) chain.mine();
  let furthest = 0;
  const aheads: number[] = [];
  const events: ScanEvent[] = [];
  await scan(
    chain,
    (event) => {
      events.push(event);
      const at = event.kind === 'block' ? event.block.number : 0;
      aheads.push(furthest - at);
      return at === 40;
    },
    [cursor],
    (call) => {
      const [asked] = call.method === 'eth_getBlockByNumber' ? call.params : [];
      if (asked !== undefined && asked !== 'latest') furthest = Math.max(furthest, Number(asked));
      return chain.request(call);
    },
  );
  expect(events.map((event) => event.kind)).toEqual(Array(40).fill('block'));
  // Before each block's turn, the scan requests all blocks up to the head.
  expect(aheads).toEqual(Array.from({ length: 40 }, (_, index) => Math.min(7, 39 - index)));
  expect(furthest).toBe(40);
});

it('leaves out a failed transfer', async () => {
  const chain = new SimulatedChain((chain) => chain.mine());
  chain.pay(WALLET, 5n, false);
  const paid = chain.pay(WALLET, 7n);
  const events = await scan(chain, reached(4), [pointerOf(chain.blocks[0] as never)]);
  expect(consumed(events).transfers).toEqual([paid]);
});

it('requests receipts by block, or singly for one', async () => {
  const chain = new SimulatedChain((chain) => chain.mine());
  const cursor = pointerOf(chain.blocks[0] as never);
  const payments = Array.from({ length: 7 }, (_, index) => ({ wei: 5n, succeeds: index !== 3 }));
  const paid = chain.payTogether(WALLET, payments);
  const single = chain.pay(WALLET, 5n);
  const asked: string[] = [];
  const events = await scan(chain, reached(4), [cursor], (call) => {
    asked.push(call.method);
    return chain.request(call);
  });
  expect(consumed(events).transfers).toEqual([...paid.filter((_, index) => index !== 3), single]);
  expect(asked.filter((method) => /Receipt/.test(method))).toEqual([
    'eth_getBlockReceipts',
    'eth_getTransactionReceipt',
  ]);
});

it('names the common ancestor of a reorganisation', async () => {
  let waits = 0;
  const chain = new SimulatedChain((chain) => {
    waits += 1;
    if (waits === 10) {
      chain.rollBack(4);
      for (let block = 0; block < 6; block++) chain.mine();
    } else chain.mine();
  });
  const events = await scan(chain, reached(20));
  expect(events.filter(({ kind }) => kind === 'reorg')).toHaveLength(1);
  const { blocks } = consumed(events);
  expect(blocks).toEqual(chain.blocks.slice(blocks[0]?.number, 21).map(pointerOf));
});

it('notices a replaced newest block', async () => {
  let idle = 0;
  let isReported = false;
  const chain = new SimulatedChain((chain) => {
    if (chain.headNumber < 5 || isReported) return chain.mine();
    idle += 1;
    if (idle === 4) {
      chain.rollBack(2);
      chain.mine();
      chain.mine();
    }
    if (idle > 100) throw new Error('it was not noticed');
  });
  const events = await scan(chain, (event) => {
    isReported ||= event.kind === 'reorg';
    return reached(8)(event);
  });
  expect(numbersOf(events)).toEqual([0, 1, 2, 3, 4, 5, 'reorg', 4, 5, 6, 7, 8]);
  expect(events[6]).toEqual({ kind: 'reorg', commonAncestor: pointerOf(chain.blocks[3] as never) });
});

it('tolerates a stalled chain and a forgetful node', async () => {
  let idle = 0;
  const chain = new SimulatedChain((chain) => {
    if (chain.headNumber >= 5) idle += 1;
    if (chain.headNumber < 5 || idle > 80) chain.mine();
  });
  const forgetful: typeof chain.request = async (call) =>
    idle > 40 && idle < 80 && Number(call.params[0]) === 5 ? null : chain.request(call);
  expect(numbersOf(await scan(chain, reached(8), [], forgetful))).toEqual(upTo(8, 0));
});

it('begins at the newest block after a silent node', async () => {
  let waits = 0;
  const chain = new SimulatedChain(() => {
    waits += 1;
  });
  for (let block = 1; block <= 20; block++) chain.mine();
  const silent: typeof chain.request = async (call) =>
    call.method === 'eth_getBlockByNumber' && waits < 40 ? null : chain.request(call);
  expect(numbersOf(await scan(chain, reached(20), [], silent))).toEqual([20]);
});

it('keeps a block that a second request finds', async () => {
  const chain = new SimulatedChain(() => undefined);
  const cursor = pointerOf(chain.blocks[0] as never);
  for (let block = 1; block <= 100; block++) chain.mine();
  let asked = 0;
  const late: typeof chain.request = async (call) =>
    call.method === 'eth_getBlockByNumber' && Number(call.params[0]) === 1 && ++asked <= 16
      ? null
      : chain.request(call);
  expect(numbersOf(await scan(chain, reached(30), [cursor], late))).toEqual(upTo(30));
});

it('keeps a block eight below the head', async () => {
  let waits = 0;
  const chain = new SimulatedChain(() => {
    waits += 1;
  });
  for (let block = 1; block <= 20; block++) chain.mine();
  const partial: typeof chain.request = async (call) =>
    call.method === 'eth_getBlockByNumber' && Number(call.params[0]) === 12 && waits < 40 ? null : chain.request(call);
  const events = await scan(chain, reached(20), [pointerOf(chain.blocks[11] as never)], partial);
  expect(numbersOf(events)).toEqual(upTo(20, 12));
});

it('waits once for blocks a node lacks', async () => {
  const times: number[] = [];
  const chain = new SimulatedChain((chain) => times.push(chain.now()));
  const cursor = pointerOf(chain.blocks[0] as never);
  for (let block = 1; block <= 40; block++) chain.mine();
  const unanswered = new Set(upTo(12, 5));
  const lagging: typeof chain.request = async (call) =>
    call.method === 'eth_getBlockByNumber' && unanswered.delete(Number(call.params[0])) ? null : chain.request(call);
  expect(numbersOf(await scan(chain, reached(39), [cursor], lagging))).toEqual(upTo(39));
  expect(times).toHaveLength(1);
});

it('reports a reorganisation once despite blocks read ahead', async () => {
  const chain = new SimulatedChain(() => undefined);
  const cursor = pointerOf(chain.blocks[0] as never);
  for (let block = 1; block <= 40; block++) chain.mine();
  const before = [...chain.blocks];
  chain.rollBack(30);
  for (let block = 11; block <= 40; block++) chain.mine();
  const behind = new Set(upTo(28).filter((number) => number !== 21));
  const twoNodes: typeof chain.request = async (call) => {
    const [number, full] = call.params;
    return call.method === 'eth_getBlockByNumber' && full === true && behind.delete(Number(number))
      ? (before[Number(number)] ?? null)
      : chain.request(call);
  };
  const events = await scan(chain, reached(40), [cursor], twoNodes);
  expect(numbersOf(events)).toEqual([...upTo(20), 'reorg', ...upTo(40, 11)]);
});

it('fails with a read at that block’s turn', async () => {
  const chain = new SimulatedChain(() => undefined);
  const cursor = pointerOf(chain.blocks[0] as never);
  for (let block = 1; block <= 20; block++) chain.mine();
  const seen: ScanEvent[] = [];
  const scanning = scan(
    chain,
    (event) => seen.push(event) > 20,
    [cursor],
    async (call) => {
      if (call.method === 'eth_getBlockByNumber' && Number(call.params[0]) === 5) throw new Error('connection lost');
      await new Promise(setImmediate);
      return chain.request(call);
    },
  );
  await expect(scanning).rejects.toThrow('connection lost');
  expect(numbersOf(seen)).toEqual(upTo(4));
});

it('backs off for missing receipts', async () => {
  const times: number[] = [];
  const chain = new SimulatedChain((chain) => times.push(chain.now()));
  const cursor = pointerOf(chain.blocks[0] as never);
  chain.pay(WALLET, 5n);
  for (let block = 2; block <= 20; block++) chain.mine();
  const slow: typeof chain.request = async (call) =>
    call.method === 'eth_getTransactionReceipt' && times.length < 8 ? null : chain.request(call);
  const events = await scan(chain, reached(19), [cursor], slow);
  expect(numbersOf(events)).toEqual(upTo(19));
  expect(times).toHaveLength(8);
  const steps = times.map((time, index) => time - (times[index - 1] ?? 1_000_000));
  expect(steps).toEqual([...new Set(steps)].sort((one, other) => one - other));
});

it('catches up without a wait while blocks come', async () => {
  let waits = 0;
  const chain = new SimulatedChain(() => {
    waits += 1;
  });
  const cursor = pointerOf(chain.blocks[0] as never);
  for (let block = 1; block <= 40; block++) chain.mine();
  const growing: typeof chain.request = async (call) => {
    if (call.method === 'eth_getBlockByNumber' && chain.headNumber < 60) chain.mine();
    return chain.request(call);
  };
  await scan(chain, reached(59), [cursor], growing);
  expect(waits).toBe(0);
});

it('uses the wall clock and aborts a wait', async () => {
  vi.useFakeTimers();
  const chain = new SimulatedChain((chain) => chain.mine());
  const mining = setInterval(() => chain.wait(1000), 1000);
  const end = new AbortController();
  const events: ScanEvent[] = [];
  let isOver = false;
  const options = { request: chain.request, watched: new WatchedAddresses(), after: [], signal: end.signal };
  const following = async () => {
    for await (const event of scanBlocks(options)) events.push(event);
    isOver = true;
  };
  const scanning = following();
  await vi.advanceTimersByTimeAsync(60_500);
  expect(numbersOf(events)).toEqual(upTo(60, 0));
  expect(chain.calls).toBeLessThan(60 * 2);
  const { calls } = chain;
  expect(getEventListeners(end.signal, 'abort')).toHaveLength(1);
  end.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(isOver).toBe(true);
  await scanning;
  expect(chain.calls).toBe(calls);
  expect(getEventListeners(end.signal, 'abort')).toEqual([]);
  clearInterval(mining);
  expect(vi.getTimerCount()).toBe(0);
});

it('reports a gap of pruned blocks and continues', async () => {
  const chain = new SimulatedChain((chain) => chain.mine());
  const cursor = pointerOf(chain.blocks[0] as never);
  for (let block = 1; block <= 100; block++) chain.mine();
  chain.prunedBelow = 40;
  const events = await scan(chain, reached(101), [cursor]);
  expect(events[0]).toEqual({ kind: 'gap', fromBlock: 1, toBlock: 39 });
  expect(events[1]).toMatchObject({ kind: 'block', block: { number: 40 } });
});

it('keeps a null block while seeking a gap’s end', async () => {
  const chain = new SimulatedChain((chain) => chain.mine());
  for (let count = 0; count < 40; count++) chain.mine();
  const after = [pointerOf(chain.blocks[1] as never)];
  chain.prunedBelow = 10;
  const nullOnce = new Set<unknown>();
  const request: typeof chain.request = async (call) => {
    const isFirst = call.method === 'eth_getBlockByNumber' && !nullOnce.has(call.params[0]);
    const answer = await chain.request(call);
    if (!isFirst) return answer;
    nullOnce.add(call.params[0]);
    return null;
  };
  const events = await scan(chain, (event) => event.kind === 'gap', after, request);
  expect(events.at(-1)).toEqual({ kind: 'gap', fromBlock: 2, toBlock: 9 });
});

it('waits above the head for every node’s error', async () => {
  let waits = 0;
  const chain = new SimulatedChain((chain) => {
    waits += 1;
    if (waits % 5 === 0) chain.mine();
  });
  const strict: typeof chain.request = async (call) => {
    const height = Number(call.params[0]);
    if (call.method === 'eth_getBlockByNumber' && height > chain.headNumber) {
      throw Object.assign(new Error(`invalid block height: ${height}`), { code: -32_603 });
    }
    return chain.request(call);
  };
  const { blocks } = consumed(await scan(chain, reached(30), [], strict));
  expect(blocks.at(-1)?.number).toBe(30);
});

it('keeps a block that one of two nodes lacks', async () => {
  const chain = new SimulatedChain((chain) => {
    if (chain.headNumber < 60) chain.mine();
  });
  const cursor = pointerOf(chain.blocks[0] as never);
  for (let block = 1; block <= 20; block++) chain.mine();
  let asked = 0;
  const behind: typeof chain.request = async (call) => {
    const height = Number(call.params[0]);
    // One node serves the heads; the other serves the blocks and is seven behind at first.
    if (call.method === 'eth_getBlockByNumber' && height > 13 && asked++ < 200) return null;
    return call.method === 'eth_blockNumber' && asked < 200 ? '0x14' : chain.request(call);
  };
  const events = await scan(chain, reached(40), [cursor], behind);
  expect(events.map(({ kind }) => kind)).not.toContain('gap');
  expect(consumed(events).blocks.map(({ number }) => number)).toEqual(
    Array.from({ length: 40 }, (_, index) => index + 1),
  );
});

it('requests each block once while catching up', async () => {
  const chain = new SimulatedChain((chain) => chain.mine());
  for (let block = 1; block <= 200; block++) chain.mine();
  await scan(chain, reached(200), [pointerOf(chain.blocks[0] as never)]);
  // Plus the requests for the head before and after.
  expect(chain.calls).toBe(202);
});

it('passes a transfer without receipt as a mention', async () => {
  const chain = new SimulatedChain((chain) => {
    if (chain.headNumber < 3) chain.mine();
  });
  const transactionHash = chain.pay(WALLET, 5n);
  const request: typeof chain.request = async (call) =>
    call.method === 'eth_getTransactionReceipt' ? null : chain.request(call);
  const after = [pointerOf(chain.blocks[0] as never)];
  const events = await scan(chain, reached(2), after, request);
  expect(events[0]).toMatchObject({
    transfers: [],
    mentions: [{ transactionHash, address: WALLET }],
    unproven: [{ transactionHash }],
  });
});
