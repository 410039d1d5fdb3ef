import type { Hash } from 'viem';
import { describe, expect, it } from 'vitest';
import { consumed, reached, scan, WALLET } from './block-scanner.fixture.ts';
import { scanBlocks } from './block-scanner.ts';
import type { ScanEvent } from './scan-events.ts';
import { SimulatedChain, seededRandom } from './simulated-chain.fixture.ts';
import { WatchedAddresses } from './watched-addresses.ts';
import { pointerOf } from './wire-block.ts';

describe.each(Array.from({ length: 30 }, (_, index) => index + 1))('seed %i', (seed) => {
  it('follows the canonical chain through random reorganisations', async () => {
    const random = seededRandom(seed);
    const chain = new SimulatedChain((chain) => {
      const dice = random(20);
      if (dice === 0 && chain.headNumber > 12) {
        const depth = 1 + random(8);
        chain.rollBack(depth);
        for (let block = 0; block < random(depth + 3); block++) chain.mine();
      } else if (dice < 4) chain.pay(WALLET, BigInt(1 + random(5)), random(4) > 0);
      else if (dice < 12) chain.mine();
    });
    const lagging: typeof chain.request = async (call) => {
      // Another replica, which does not have the newest block yet, answers.
      if (random(10) === 0 && Number(call.params[0]) === chain.headNumber) return null;
      return chain.request(call);
    };
    const events = await scan(chain, reached(150), [], lagging);
    const { blocks, transfers } = consumed(events);
    const first = blocks[0]?.number ?? 0;
    const canonical = chain.blocks.slice(first, 151);
    expect(blocks).toEqual(canonical.map(pointerOf));
    const paid = canonical.flatMap(({ transactions }) => transactions.map(({ hash }) => hash));
    const receipts = await Promise.all(
      paid.map((hash) => chain.request({ method: 'eth_getTransactionReceipt', params: [hash] })),
    );
    expect(transfers).toEqual(paid.filter((_, index) => (receipts[index] as { status: string }).status === '0x1'));
  });
});

/** A chain with blocks by its clock, up to 20 ms late; one in thirty contains one or three payments. */
function punctualChain(): SimulatedChain {
  const random = seededRandom(5);
  let nextAtMs = 1_001_000;
  return new SimulatedChain((chain) => {
    for (; chain.now() >= nextAtMs; nextAtMs = chain.headNumber * 1000 + 1_001_000 + random(20)) {
      if (chain.headNumber % 30 !== 0) chain.mine();
      else
        chain.payTogether(
          WALLET,
          Array.from({ length: 1 + 2 * random(2) }, () => ({ wei: 5n, succeeds: true })),
        );
    }
  });
}

describe('following a chain of one block a second', () => {
  it('needs at most 1.3 requests a block', async () => {
    const chain = punctualChain();
    const delays: number[] = [];
    const events = await scan(chain, (event) => {
      if (event.kind === 'block') delays.push(chain.now() - 1_000_000 - event.block.number * 1000);
      return reached(900)(event);
    });
    expect(Math.max(...delays.slice(100))).toBeLessThan(60);
    const { blocks, transfers } = consumed(events);
    expect(blocks.at(-1)?.number).toBe(900);
    expect(transfers.length).toBeGreaterThan(30);
    expect(chain.calls).toBeLessThanOrEqual(900 * (1.3 + 1 / 30));
  });
});

it('finds the chain’s rhythm after catching up', async () => {
  const chain = punctualChain();
  for (let block = 1; block <= 300; block++) await chain.wait(1000);
  const behind = chain.headNumber;
  await scan(chain, reached(behind + 30), [pointerOf(chain.blocks[0] as never)]);
  expect(chain.calls).toBeLessThan(behind + 3 * 30);
});

it('keeps the rhythm beside a big block', async () => {
  let nextAtMs = 1_001_000;
  const chain = new SimulatedChain((chain) => {
    for (; chain.now() >= nextAtMs; nextAtMs += 1000) {
      chain.mine([], '0x1e8480');
      if (nextAtMs % 5000 === 0) chain.mine([], '0x989680');
    }
  });
  await scan(chain, reached(600));
  expect(chain.calls).toBeLessThan(600 * 1.3);
});

describe('where requests are scarce', () => {
  const scanSparing = async (chain: SimulatedChain, until: number) => {
    const watched = new WatchedAddresses();
    watched.add(WALLET);
    const end = new AbortController();
    const events: ScanEvent[] = [];
    const options = { request: chain.request, watched, after: [], signal: end.signal, clock: chain };
    for await (const event of scanBlocks({ ...options, pollEveryMs: 2000 })) {
      events.push(event);
      if (reached(until)(event)) end.abort();
    }
    return consumed(events);
  };

  it('follows the head with one request a block', async () => {
    const chain = new SimulatedChain((chain) => {
      chain.mine();
      chain.mine();
    });
    const { blocks } = await scanSparing(chain, 200);
    expect(blocks.map(({ number }) => number)).toEqual(Array.from({ length: blocks.length }, (_, index) => index));
    expect(chain.calls).toBeLessThanOrEqual(blocks.length + 4);
  });

  it('takes the block that a poll returned', async () => {
    let waits = 0;
    const chain = new SimulatedChain((chain) => {
      waits += 1;
      if (waits % 2 === 0) chain.mine();
    });
    await scanSparing(chain, 50);
    expect(chain.calls).toBeLessThanOrEqual(waits + 1);
  });

  it('finds payments, and follows the chain through reorganisations', async () => {
    const random = seededRandom(7);
    let paid: Hash[] = [];
    const chain = new SimulatedChain((chain) => {
      if (chain.headNumber > 20 && chain.headNumber < 180 && random(10) === 0) {
        const depth = 1 + random(3);
        const gone = chain.blocks.slice(-depth).flatMap(({ transactions }) => transactions.map(({ hash }) => hash));
        paid = paid.filter((hash) => !gone.includes(hash));
        chain.rollBack(depth);
        for (let block = 0; block <= depth; block += 1) chain.mine();
      }
      if (random(3) === 0) paid.push(chain.pay(WALLET, 5n));
      else if (random(3) > 0) chain.mine();
    });
    const { transfers } = await scanSparing(chain, 220);
    const inTime = chain.blocks.slice(0, 221).flatMap(({ transactions }) => transactions.map(({ hash }) => hash));
    expect(transfers).toEqual(paid.filter((hash) => inTime.includes(hash)));
  });
});
