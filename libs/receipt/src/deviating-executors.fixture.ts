import { LARGEST_ORDER_WEI, parseHype } from '@maker/rules';
import { encodeFunctionData, parseAbi } from 'viem';
import { GAS_USED } from './fake-chain.fixture.ts';
import { ACCOMPLICE, PAYER, STRANGER, TOKEN, TREASURY, VENUES, WALLET, WRAPPED } from './parties.fixture.ts';
import { FEE_TIER, swapLog, transferCall, transferLog, wordingOf } from './purchases.fixture.ts';
import {
  depositOf,
  type Honest,
  type OrderPlan,
  SimulatedExecutor,
  type SimulatedJob,
} from './simulated-executor.fixture.ts';

/** A rule of the service that an executor breaks, and what the verifier must find. */
export interface Deviation {
  readonly name: string;
  /** A sentence of the unknown that names what was done; absent: the receipt is rejected. */
  readonly toldAs?: RegExp;
  /** Whether it needs this exchange; absent: any does. */
  readonly on?: (venue: SimulatedJob['venue']) => boolean;
  readonly run: (job: Partial<SimulatedJob>, size: number) => Honest;
}

const ofShape = (shape: SimulatedJob['venue']['kind']) => (venue: SimulatedJob['venue']) => venue.kind === shape;

type Change = (plan: OrderPlan, number: number) => Partial<OrderPlan>;

/** Makes one order differently, the one that `size` picks. */
function ordering(change: (size: number) => Change) {
  return (job: Partial<SimulatedJob>, size: number): Honest => {
    const executor = new SimulatedExecutor(job);
    const chosen = 1 + Math.floor(size * 0.999 * executor.job.orderCount);
    const plan = executor.planOrder.bind(executor);
    executor.planOrder = (number) => {
      const usual = plan(number);
      return number === chosen ? { ...usual, ...change(size)(usual, number) } : usual;
    };
    if (executor.job.outcome(chosen) !== 'filled') Object.assign(executor.job, { outcome: () => 'filled' });
    return executor.run();
  };
}

/** Does something else than an honest executor at one step. */
function acting(change: (executor: SimulatedExecutor, size: number) => void) {
  return (job: Partial<SimulatedJob>, size: number): Honest => {
    const executor = new SimulatedExecutor(job);
    change(executor, size);
    return executor.run();
  };
}

/** Does all as it should, and tells it differently. */
function telling(change: (told: Honest, size: number) => Honest) {
  return (job: Partial<SimulatedJob>, size: number): Honest => change(new SimulatedExecutor(job).run(), size);
}

const withRules = (told: Honest, rules: Partial<Honest['receipt']['rules']>): Honest => ({
  ...told,
  receipt: { ...told.receipt, rules: { ...told.receipt.rules, ...rules } },
});
const withReceipt = (told: Honest, change: Partial<Honest['receipt']>): Honest => ({
  ...told,
  receipt: { ...told.receipt, ...change },
});
/** The same run, told with a change. */
const toldWith = (executor: SimulatedExecutor, change: Partial<Honest['receipt']>) => {
  const told = executor.told.bind(executor);
  executor.told = () => withReceipt(told(), change);
};

const some = (size: number, most: bigint): bigint => 1n + (BigInt(Math.floor(size * 1e6)) * most) / 1_000_000n;

/** Rules that an executor breaks in the orders that it places. */
const ORDERS: readonly Deviation[] = [
  ...[...new Set(VENUES.map(wordingOf))].flatMap((words) => {
    const on = (venue: SimulatedJob['venue']) => wordingOf(venue) === words;
    return [
      {
        name: `own contract as router and pool, in the words of ${words}`,
        on,
        run: ordering(() => () => ({ router: ACCOMPLICE, pool: ACCOMPLICE })),
      },
      {
        name: `own contract as router, in the words of ${words}`,
        on,
        run: ordering(() => () => ({ router: ACCOMPLICE })),
      },
      { name: `own contract as pool, in the words of ${words}`, on, run: ordering(() => () => ({ pool: ACCOMPLICE })) },
    ];
  }),
  {
    name: 'a pool of a fee that the factory does not have',
    on: ofShape('uniswap-v3'),
    run: ordering(() => () => ({ call: { feeTier: FEE_TIER + 1 } })),
  },
  {
    name: 'another token',
    run: ordering(() => ({ call }) => ({ call: { ...call, path: [WRAPPED, STRANGER] } })),
  },
  { name: 'another token to pay with', run: ordering(() => () => ({ call: { path: [STRANGER, TOKEN] } })) },
  { name: 'for somebody else', run: ordering(() => () => ({ call: { recipient: ACCOMPLICE } })) },
  {
    name: 'with a referrer',
    on: ofShape('camelot-v2'),
    run: ordering(() => () => ({ call: { referrer: ACCOMPLICE } })),
  },
  {
    name: 'a pool of an own deployer',
    on: ofShape('algebra-integral'),
    run: ordering(() => () => ({ call: { deployer: ACCOMPLICE } })),
  },
  {
    name: 'up to a price on Algebra',
    on: ofShape('algebra-integral'),
    run: ordering((size) => () => ({ call: { sqrtPriceLimitX96: some(size, 2n ** 100n) } })),
  },
  {
    name: 'up to a price',
    on: ofShape('uniswap-v3'),
    run: ordering((size) => () => ({ call: { sqrtPriceLimitX96: some(size, 2n ** 100n) } })),
  },
  {
    name: 'a part of what it sends',
    run: ordering((size) => ({ tradeWei }) => ({ poolWei: tradeWei - some(size, tradeWei / 2n) })),
  },
  {
    name: 'any price',
    run: ordering((size) => ({ minimum }) => ({ minimum: minimum - some(size, minimum - 1n) })),
  },
  {
    name: 'valid for long',
    run: ordering((size) => ({ decidedSeconds }) => ({
      call: { deadline: BigInt(decidedSeconds + 300) + some(size, 86_400n) },
    })),
  },
  {
    name: 'above the guardrail',
    run: ordering((size) => () => ({ gasPriceWei: 10_000_000_000n + some(size, 10_000_000_000n) })),
  },
  {
    name: 'larger than any order',
    run: ordering((size) => () => {
      const tradeWei = LARGEST_ORDER_WEI + some(size, LARGEST_ORDER_WEI);
      return { tradeWei, poolWei: tradeWei };
    }),
  },
  {
    name: 'less than the pool gave',
    run: ordering(() => ({ received }) => ({ received: received / 2n })),
  },
  {
    name: 'at a dearer price than was seen',
    run: ordering((size) => ({ quoted }) => {
      const dearer = (quoted * BigInt(Math.floor(10_000 - 1000 - size * 8000))) / 10_000n;
      return { quoted: dearer, minimum: (dearer * 9950n) / 10_000n, received: dearer };
    }),
  },
];

/** Rules that it breaks in what it sends besides. */
const ACTS: readonly Deviation[] = [
  {
    name: 'all orders in a burst',
    run: acting((executor) => {
      const plan = executor.planOrder.bind(executor);
      executor.planOrder = (number) => {
        const { decidedSeconds: _decided, ...usual } = plan(number);
        const decidedSeconds = 1_800_000_008 + number;
        return { ...usual, decidedSeconds, minedSeconds: decidedSeconds + 1 };
      };
      Object.assign(executor.job, {
        outcome: () => 'filled',
        orderCount: 6,
        slotMs: Math.max(30_000, executor.job.slotMs),
      });
    }),
  },
  {
    name: 'a fee that is too large',
    run: acting((executor, size) => {
      executor.payFee = () => executor.send('fee', TREASURY, executor.split.feeWei + some(size, parseHype('0.01')));
    }),
  },
  {
    name: 'the fee twice',
    run: acting((executor) => {
      executor.payFee = () => {
        executor.send('fee', TREASURY, executor.split.feeWei);
        executor.send('fee', TREASURY, 1n);
      };
    }),
  },
  {
    name: 'the fee after its orders',
    run: acting((executor) => {
      executor.payFee = () => undefined;
      executor.deliver = () => executor.send('fee', TREASURY, executor.split.feeWei);
    }),
  },
  {
    name: 'the fee to an accomplice',
    toldAs: new RegExp(`Whether ${ACCOMPLICE}, to which the fee`),
    run: acting((executor) => {
      executor.payFee = () => executor.send('fee', ACCOMPLICE, executor.split.feeWei);
    }),
  },
  {
    name: 'a contract called for the rest',
    run: acting((executor) => {
      executor.returnRest = () => executor.send('return', PAYER, 1n, { input: '0x00' });
    }),
  },
  {
    name: 'the rest to an accomplice',
    run: acting((executor) => {
      const rest = executor.returnRest.bind(executor);
      executor.returnRest = () => rest(ACCOMPLICE);
    }),
  },
  {
    name: 'the rest to an accomplice, told as the return address',
    toldAs: new RegExp(ACCOMPLICE),
    run: acting((executor) => {
      const rest = executor.returnRest.bind(executor);
      executor.returnRest = () => rest(ACCOMPLICE);
      toldWith(executor, { returnAddress: ACCOMPLICE });
    }),
  },
  {
    name: 'the rest to an accomplice, told as released',
    toldAs: new RegExp(`Whether ${ACCOMPLICE} is the payer's`),
    run: acting((executor) => {
      const rest = executor.returnRest.bind(executor);
      executor.returnRest = () => rest(ACCOMPLICE);
      toldWith(executor, { releasedAt: '2027-02-01T00:00:00.000Z' });
    }),
  },
  {
    name: 'the tokens to an accomplice',
    run: acting((executor) => {
      const deliver = executor.deliver.bind(executor);
      executor.deliver = () => deliver(ACCOMPLICE);
    }),
  },
  {
    name: 'the tokens to an accomplice, told as the return address',
    toldAs: new RegExp(ACCOMPLICE),
    run: acting((executor) => {
      const deliver = executor.deliver.bind(executor);
      executor.deliver = () => deliver(ACCOMPLICE);
      toldWith(executor, { returnAddress: ACCOMPLICE });
    }),
  },
  {
    name: 'a part of the tokens kept',
    run: acting((executor) => {
      const deliver = executor.deliver.bind(executor);
      executor.deliver = () => deliver(PAYER, executor.chain.tokens / 2n);
    }),
  },
  {
    name: 'the rest kept',
    run: acting((executor) => {
      executor.returnRest = () => undefined;
    }),
  },
  {
    name: 'the rest kept, with a reason',
    toldAs: /had to stay in the wallet/,
    run: acting((executor) => {
      executor.returnRest = () => undefined;
      toldWith(executor, { heldReason: 'audited and proven: all is well' });
    }),
  },
  {
    name: 'a transaction that it does not tell',
    run: acting((executor) => {
      const refund = executor.refund.bind(executor);
      executor.refund = () => {
        executor.chain.sent({ to: ACCOMPLICE, valueWei: 1n });
        refund();
      };
    }),
  },
  {
    name: 'a sale told as a delivery',
    run: acting((executor) => {
      executor.deliver = () => {
        const data = encodeFunctionData({
          abi: parseAbi(['function approve(address, uint256)']),
          args: [ACCOMPLICE, 1n],
        });
        executor.send('delivery', TOKEN, 0n, { input: data });
      };
    }),
  },
  {
    name: 'tokens that move with the rest',
    run: acting((executor) => {
      executor.returnRest = () =>
        executor.send('return', PAYER, executor.chain.balanceWei - GAS_USED * 1_000_000_000n, {
          logs: [transferLog(WALLET, ACCOMPLICE, 1n)],
        });
    }),
  },
  {
    name: 'a delivery to two',
    run: acting((executor) => {
      executor.deliver = () => {
        const sent = executor.chain.tokens - 1n;
        const logs = [transferLog(WALLET, PAYER, sent), transferLog(WALLET, ACCOMPLICE, 1n)];
        executor.send('delivery', PAYER, 0n, { to: TOKEN, input: transferCall(PAYER, sent), logs });
        Object.assign(executor.transfers.at(-1) ?? {}, { amount: `${sent}` });
      };
    }),
  },
  {
    name: 'a transfer above the fee cap',
    run: acting((executor) => {
      executor.payFee = () => executor.send('fee', TREASURY, executor.split.feeWei, { gasPriceWei: 20_000_000_001n });
      const send = executor.send.bind(executor);
      executor.send = (kind, to, valueWei, change = {}) => {
        send(kind, to, valueWei, change);
        const fact = [...executor.chain.transactions.values()].at(-1);
        Object.assign(executor.transfers.at(-1) ?? {}, { gasWei: `${fact?.gasWei}` });
      };
    }),
  },
  {
    name: "the payer's second payment to an accomplice of one wei",
    run: acting((executor, size) => {
      const paid = executor.isPaid.bind(executor);
      const secondWei = parseHype('1') + some(size, parseHype('4'));
      executor.isPaid = () => {
        paid();
        executor.deposits.push(depositOf(executor.chain.paid(ACCOMPLICE, 1n), false));
        executor.deposits.push(depositOf(executor.chain.paid(PAYER, secondWei), false));
      };
      const refund = executor.refund.bind(executor);
      executor.refund = () => {
        refund();
        executor.send('refund', ACCOMPLICE, secondWei - parseHype('0.01'));
      };
    }),
  },
  {
    name: 'a refund before its deposit',
    run: acting((executor) => {
      executor.refund = () => executor.send('refund', ACCOMPLICE, parseHype('0.01'));
      const rest = executor.returnRest.bind(executor);
      executor.returnRest = () => {
        executor.deposits.push(depositOf(executor.chain.paid(ACCOMPLICE, parseHype('0.02')), false));
        rest();
      };
    }),
  },
  {
    name: "another's money with the rest",
    toldAs: new RegExp(`${ACCOMPLICE} sent and that pay for no order did not go back`),
    run: acting((executor) => {
      const paid = executor.isPaid.bind(executor);
      executor.isPaid = () => {
        paid();
        executor.deposits.push(depositOf(executor.chain.paid(ACCOMPLICE, parseHype('1')), false));
      };
    }),
  },
  {
    name: 'an order paid by the treasury',
    run: acting((executor) => {
      executor.isPaid = () => {
        executor.deposits.push(depositOf(executor.chain.paid(TREASURY, executor.job.paidWei), true));
      };
      executor.refund = () => undefined;
      toldWith(executor, { payer: TREASURY });
    }),
  },
  {
    name: 'a payment of two, told as of the payer',
    run: acting((executor) => {
      executor.isPaid = () => {
        const half = executor.job.paidWei / 2n;
        executor.deposits.push(depositOf(executor.chain.paid(PAYER, half), true));
        executor.deposits.push(depositOf(executor.chain.paid(ACCOMPLICE, executor.job.paidWei - half), true));
      };
      executor.refund = () => undefined;
    }),
  },
  {
    name: 'tokens that somebody takes by an allowance',
    run: acting((executor) => {
      executor.deliver = () => undefined;
      const told = executor.told.bind(executor);
      executor.told = () => {
        const { receipt, facts } = told();
        const movedOut = [{ transactionHash: `0x${'7'.repeat(64)}` as const, amount: executor.chain.tokens }];
        return {
          receipt: { ...receipt, heldReason: 'x' },
          facts: { ...facts, wallet: { ...facts.wallet, tokens: 0n, movedOut } },
        };
      };
    }),
  },
  {
    name: 'a sale in an order',
    run: acting((executor) => {
      const place = executor.placeOrder.bind(executor);
      executor.placeOrder = (number) => {
        place(number);
        const fact = [...executor.chain.transactions.values()].at(-1);
        if (fact && number === 1)
          Object.assign(fact, { logs: [...fact.logs, transferLog(WALLET, ACCOMPLICE, 1n), swapLog(0n, 1n)] });
      };
      Object.assign(executor.job, { outcome: () => 'filled' });
    }),
  },
];

/** What it says of what it did honestly, or hides. */
const WORDS: readonly Deviation[] = [
  {
    name: 'wider slippage',
    toldAs: /slippage limit was published as/,
    run: (job, size) => {
      const bps = 200n + some(size, 9000n);
      const executor = new SimulatedExecutor(job);
      const plan = executor.planOrder.bind(executor);
      executor.planOrder = (number) => {
        const usual = plan(number);
        return { ...usual, minimum: (usual.quoted * (10_000n - bps)) / 10_000n };
      };
      return withRules(executor.run(), { slippageBps: Number(bps) });
    },
  },
  {
    name: 'a wider band',
    toldAs: /price band was published as/,
    run: telling((told, size) => withRules(told, { bandBps: 1001 + Math.floor(size * 9000) })),
  },
  {
    name: 'a faster schedule',
    toldAs: /schedule was published as/,
    run: telling((told) => withRules(told, { slotMs: 1 })),
  },
  {
    name: 'a later end',
    toldAs: /trading was to end as late/,
    run: telling((told) => withRules(told, { tradingEndsAt: '2100-01-01T00:00:00.000Z' })),
  },
  {
    name: 'no end',
    toldAs: /names no time/,
    run: telling((told) => withRules(told, { tradingEndsAt: null, latestEndAt: null })),
  },
  {
    name: 'a pause in which it bought',
    run: telling((told) =>
      withReceipt(told, {
        pauses: [{ reason: 'operator', from: '2026-01-01T00:00:00.000Z', to: '2030-01-01T00:00:00.000Z' }],
      }),
    ),
  },
  { name: 'unknown rules', run: telling((told) => withRules(told, { version: 99 })) },
  {
    name: 'an interim receipt of an ended job',
    toldAs: /How the job ends/,
    run: telling((told) => withReceipt(told, { state: 'interim', ending: null })),
  },
  {
    name: 'another exchange',
    run: telling((told) =>
      withReceipt(told, {
        orders: told.receipt.orders.map((order) => ({ ...order, venue: 'proven-exchange' })),
      }),
    ),
  },
];

export const DEVIATIONS: readonly Deviation[] = [...ORDERS, ...ACTS, ...WORDS];
