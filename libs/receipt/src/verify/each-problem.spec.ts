import { LARGEST_ORDER_WEI, parseHype, priceOf } from '@maker/rules';
import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import type { ChainFacts, TransactionFact } from '../chain/chain-facts.ts';
import type { SignedReceipt } from '../file/receipt-file.ts';
import {
  buyCall,
  honestReceipt,
  PAYER,
  POOL,
  STRANGER,
  TOKEN,
  TREASURY,
  transferLog,
  VENUES,
  WALLET,
  WRAPPED,
  withTransaction,
} from '../honest-receipt.fixture.ts';
import { type CallChange, swapLog } from '../purchases.fixture.ts';
import { SimulatedExecutor } from '../simulated-executor.fixture.ts';
import { Evidence } from './evidence.ts';
import { balance, delivery, fee, moneyIn, returns, sums } from './money-rules.ts';
import { onlyBuys, priceBand } from './order-rules.ts';
import type { Rule } from './rule.ts';
import { ending, gasPrice, pauses, schedule } from './schedule-rules.ts';
import { rulesKnown, service } from './service-rules.ts';
import { oneWallet, sameChain } from './wallet-rules.ts';

// One fault each, and exactly the sentences that are told of it: by the rule itself, which those before it would hide.

const honest = honestReceipt(8);
const { receipt, facts } = honest;
const { rules } = receipt;
const GONE: Hex = `0x${'9'.repeat(64)}`;
const OTHER = `0x${'99'.repeat(20)}` as const;
const V3 = VENUES.find(({ kind }) => kind === 'uniswap-v3') as (typeof VENUES)[number];

/** What a rule tells of the honest receipt with a change in it, and in what the chain shows. */
function told(rule: Rule, change: Partial<SignedReceipt> = {}, chain: ChainFacts = facts): string[] {
  return [...rule.broken(new Evidence({ ...receipt, ...change }, chain))];
}

function statement(rule: Rule, change: Partial<SignedReceipt> = {}, chain: ChainFacts = facts): string | undefined {
  return rule.statement?.(new Evidence({ ...receipt, ...change }, chain));
}

function onChain(hash: Hex, change: Partial<TransactionFact>): ChainFacts {
  return withTransaction(honest, hash, change);
}

type Kind = SignedReceipt['transfers'][number]['kind'];

function transfersWith(kind: Kind, change: Partial<SignedReceipt['transfers'][number]>) {
  return { transfers: receipt.transfers.map((one) => (one.kind === kind ? { ...one, ...change } : one)) };
}

function hashOf(kind: Kind): Hex {
  const transfer = receipt.transfers.find((one) => one.kind === kind);
  if (!transfer) throw new Error(`no ${kind}`);
  return transfer.transactionHash;
}

function ordersWith(number: number, change: Partial<SignedReceipt['orders'][number]>) {
  return { orders: receipt.orders.map((one) => (one.number === number ? { ...one, ...change } : one)) };
}

function orderOf(number: number): SignedReceipt['orders'][number] {
  const order = receipt.orders[number - 1];
  if (!order) throw new Error(`no order ${number}`);
  return order;
}

function rulesWith(change: Partial<SignedReceipt['rules']>) {
  return { rules: { ...rules, ...change } };
}

it('an honest receipt breaks none of the rules', () => {
  const all = [
    rulesKnown,
    sameChain,
    oneWallet,
    service,
    moneyIn,
    fee,
    onlyBuys,
    gasPrice,
    schedule,
    priceBand,
    pauses,
  ];
  for (const rule of [...all, delivery, returns, sums, ending, balance]) expect(told(rule)).toEqual([]);
});

it('rules carry their published names', () => {
  const all = [
    rulesKnown,
    sameChain,
    oneWallet,
    service,
    moneyIn,
    fee,
    onlyBuys,
    gasPrice,
    schedule,
    priceBand,
    pauses,
  ];
  expect([...all, delivery, returns, sums, ending, balance].map(({ id }) => id).join(' ')).toBe(
    'rules chain wallet service money_in fee only_buys gas_price schedule price_band pauses delivery returns sums ending balance',
  );
});

it('the evidence uses searched transactions only', () => {
  expect(new Evidence({ ...receipt, payer: null, returnAddress: STRANGER }, facts).owners).toEqual([STRANGER]);
  expect(new Evidence({ ...receipt, returnAddress: null }, facts).owners).toEqual([PAYER]);
  expect(() => new Evidence(receipt, facts).transaction(GONE)).toThrow(`${GONE} was not looked for before it was used`);
});

describe('chain and wallet', () => {
  it('say of which chain and block they are', () => {
    expect(told(sameChain, {}, { ...facts, chainId: 1 })).toEqual([
      'The receipt is of chain 999, and the endpoint is of chain 1.',
    ]);
    const block = receipt.asOf?.blockNumber ?? 0;
    expect(told(sameChain, {}, { ...facts, asOfBlockHash: GONE })).toEqual([
      `Block ${block} of the chain has another hash than the receipt says.`,
    ]);
    const asOf = receipt.asOf && { ...receipt.asOf, blockNumber: block + 1 };
    expect(told(sameChain, { asOf })).toEqual([
      `The receipt says that it tells up to block ${block + 1}, but its newest transaction is in block ${block}.`,
    ]);
    expect(told(sameChain, { asOf: null })).toEqual([
      `The receipt says that it tells up to block none, but its newest transaction is in block ${block}.`,
    ]);
    expect(told(sameChain, { orders: [], transfers: [] })).toEqual([
      `The receipt says that it tells up to block ${block}, but its newest transaction is in block none.`,
    ]);
    expect(told(sameChain, { orders: [], transfers: [], asOf: null })).toEqual([]);
    expect(statement(sameChain, { asOf: null })).toBe('The chain is 999.');
  });

  it('count what the wallet has sent', () => {
    const nonce = facts.wallet.nonce;
    const sent = (count: number) => ({ ...facts, wallet: { ...facts.wallet, nonce: count } });
    expect(told(oneWallet, {}, sent(nonce - 1))).toEqual([
      `The wallet has sent ${nonce - 1} transactions, fewer than the ${nonce} that the receipt tells of.`,
    ]);
    expect(told(oneWallet, {}, sent(nonce + 1))).toEqual([
      `The wallet has sent ${nonce + 1} transactions, and the receipt explains only ${nonce}.`,
    ]);
    expect(told(oneWallet, { state: 'interim' }, sent(nonce + 1))).toEqual([]);
    expect(statement(oneWallet, {}, sent(nonce + 1))).toBe(
      `One wallet: the receipt explains the first ${nonce} transactions that ${WALLET} has sent.`,
    );
    expect(told(oneWallet, {}, { ...facts, wallet: { ...facts.wallet, hasCode: true } })).toEqual([
      `${WALLET} is a contract, so that others may move what it holds.`,
    ]);
  });

  it('find each named transaction', () => {
    const order = orderOf(2);
    const changed = (change: Partial<TransactionFact>) => told(oneWallet, {}, onChain(order.transactionHash, change));
    expect(changed({ from: STRANGER })).toEqual([`Order 2 was sent by ${STRANGER}, not by the job's wallet.`]);
    expect(changed({ nonce: 77 })).toEqual([`Order 2 has nonce 77 on the chain, not ${order.nonce}.`]);
    expect(changed({ blockNumber: 77 })).toEqual([`Order 2 is in block 77, not in ${order.blockNumber}.`]);
    expect(changed({ gasWei: 7n })).toEqual([`Order 2 cost 7 wei of gas, not ${order.gasWei}.`]);
    expect(changed({ succeeded: false })).toEqual(['Order 2 reverted on the chain, and the receipt says otherwise.']);
    expect(changed({ blockSeconds: 0 })).toEqual([
      `Order 2 was mined at 1970-01-01T00:00:00.000Z, not at ${order.minedAt}.`,
    ]);
    expect(told(oneWallet, {}, onChain(orderOf(3).transactionHash, { succeeded: true }))).toEqual([
      'Order 3 succeeded on the chain, and the receipt says otherwise.',
    ]);
    expect(told(oneWallet, {}, onChain(hashOf('fee'), { succeeded: false }))).toEqual([
      'The fee with nonce 0 reverted on the chain, and the receipt says otherwise.',
    ]);
    expect(told(oneWallet, ordersWith(2, { transactionHash: GONE }))).toEqual([
      `Order 2 names transaction ${GONE}, which is not on the chain.`,
    ]);
  });

  it('find gaps and repetitions', () => {
    const order = orderOf(8);
    const twice = told(oneWallet, { orders: [...receipt.orders, { ...order, number: 9 }] });
    expect(twice[0]).toBe(`The receipt tells twice of the wallet's transaction with nonce ${order.nonce}.`);
    const gap = told(oneWallet, { orders: receipt.orders.filter(({ number }) => number !== 4) });
    expect(gap[0]).toBe(`The receipt does not explain the wallet's transaction with nonce ${orderOf(4).nonce}.`);
  });

  it('find the time of the newest block', () => {
    const { asOf } = receipt;
    expect(told(oneWallet, { asOf: asOf && { ...asOf, at: '2027-01-01T00:00:00.000Z' } })).toEqual([
      `Block ${asOf?.blockNumber} is of ${asOf?.at}, and the receipt says 2027-01-01T00:00:00.000Z.`,
    ]);
    expect(told(oneWallet, {}, onChain(hashOf('fee'), { blockSeconds: 0 }))).toEqual([]);
  });

  it('say nothing without the newest block', () => {
    const { asOf } = receipt;
    expect(told(oneWallet, { asOf: null })).toEqual([]);
    expect(told(oneWallet, { asOf: asOf && { ...asOf, blockNumber: 9999 } })).toEqual([]);
  });
});

describe('the money that came', () => {
  const [paid, late] = receipt.deposits;
  if (!paid?.transactionHash || !late?.transactionHash) throw new Error('two deposits');
  const deposits = (...all: SignedReceipt['deposits']) => ({ deposits: all });
  const paying = (change: Partial<TransactionFact>) => onChain(paid.transactionHash as Hex, change);

  it('is counted once, and comes to what was paid', () => {
    expect(told(moneyIn, deposits(paid, late, late))).toEqual([`Deposit ${late.transactionHash} is counted twice.`]);
    expect(told(moneyIn, rulesWith({ paidWei: `${parseHype('0.3')}` }))).toEqual([
      'The deposits that pay for the job come to 0.25 HYPE, not to 0.3 HYPE.',
    ]);
  });

  it('is from the payer that is named', () => {
    expect(told(moneyIn, { payer: STRANGER })).toEqual([
      `The money that pays for the job is from ${PAYER}, and the receipt names ${STRANGER}.`,
    ]);
    expect(told(moneyIn, { payer: null })).toEqual([
      `The money that pays for the job is from ${PAYER}, and the receipt names nobody.`,
    ]);
    const both = { ...deposits(paid, { ...late, pays: true }), ...rulesWith({ paidWei: `${parseHype('0.26')}` }) };
    expect(told(moneyIn, both)).toEqual([
      `The receipt names ${PAYER} as the payer, but the money that pays for the job is not from there alone.`,
    ]);
    expect(told(moneyIn, { ...both, payer: null })).toEqual([]);
    expect(statement(moneyIn, { payer: null })).toBe(
      "The job was paid with 0.25 HYPE, which no single sender's transfers explain.",
    );
  });

  it('is never our own', () => {
    const from = (address: typeof PAYER) =>
      told(moneyIn, { payer: address, ...deposits({ ...paid, from: address }, late) }, paying({ from: address }));
    expect(from(TREASURY)).toEqual([`The treasury ${TREASURY} paid for the job: its money must not trade.`]);
    expect(from(WALLET)).toEqual(['The wallet paid for itself.']);
  });

  it('is as on the chain', () => {
    const name = 'The deposit of 0.25 HYPE';
    expect(told(moneyIn, {}, paying({ succeeded: false }))).toEqual([
      `${name} names transaction ${paid.transactionHash}, which reverted.`,
    ]);
    expect(told(moneyIn, {}, paying({ blockNumber: 77 }))).toEqual([
      `${name} came in block 77, not in ${paid.blockNumber}.`,
    ]);
    expect(told(moneyIn, {}, paying({ valueWei: 7n }))).toEqual([
      `${name} is one of 0.000000000000000007 HYPE on the chain.`,
    ]);
    expect(told(moneyIn, {}, paying({ from: STRANGER }))).toEqual([
      `${name} came from ${STRANGER}, not from ${PAYER}.`,
    ]);
    const elsewhere = [
      `${name} names transaction ${paid.transactionHash}, which does not pay the job's wallet.`,
      `${name} names a sender of whom the chain does not tell.`,
    ];
    expect(told(moneyIn, {}, paying({ to: STRANGER }))).toEqual(elsewhere);
    expect(told(moneyIn, {}, paying({ valueWei: 0n }))).toEqual(elsewhere);
    expect(told(moneyIn, deposits({ ...paid, transactionHash: GONE }, late))).toEqual([
      `${name} names transaction ${GONE}, which is not on the chain.`,
    ]);
  });

  it('that is untraced has no sender', () => {
    const untraced = (change: Partial<typeof paid>, chain = facts) =>
      told(moneyIn, { payer: null, ...deposits({ ...paid, kind: 'untraced', from: null, ...change }, late) }, chain);
    const inside = paying({ to: STRANGER });
    expect(untraced({}, inside)).toEqual([]);
    expect(untraced({ transactionHash: null })).toEqual([]);
    const half = `${parseHype('0.125')}`;
    const nameless = { ...paid, kind: 'untraced', from: null, transactionHash: null, amountWei: half } as const;
    expect(told(moneyIn, { payer: null, ...deposits(nameless, nameless, late) })).toEqual([]);
    expect(untraced({})[0]).toBe(
      `The deposit of 0.25 HYPE is said to be untraced, and is a plain transfer of ${PAYER}.`,
    );
    expect(untraced({ transactionHash: null, kind: 'transfer' })).toEqual([
      'The deposit of 0.25 HYPE is said to be a transfer, and names no transaction.',
    ]);
    expect(untraced({ transactionHash: null, from: PAYER })[0]).toBe(
      'The deposit of 0.25 HYPE names a sender, and no transaction by which to tell.',
    );
  });
});

describe('the fee', () => {
  it('is the part of the payment in the rules', () => {
    expect(told(fee, rulesWith({ feePercent: 31 }))).toEqual(['The fee is published as 30 %, not 31 %.']);
    expect(told(fee, transfersWith('fee', { amount: '7' }), onChain(hashOf('fee'), { valueWei: 7n }))).toEqual([
      'The fee is 0.000000000000000007 HYPE; 30 % of 0.25 HYPE are 0.075 HYPE.',
    ]);
  });

  it('is one plain transfer to the treasury', () => {
    const changed = (change: Partial<TransactionFact>) => told(fee, {}, onChain(hashOf('fee'), change));
    expect(changed({ input: '0x00' })).toEqual(['The fee with nonce 0 calls a contract instead of only moving HYPE.']);
    expect(changed({ to: STRANGER })).toEqual([`The fee with nonce 0 went to ${STRANGER}, not to ${TREASURY}.`]);
    expect(changed({ valueWei: 7n })).toEqual([
      'The fee with nonce 0 moved 0.000000000000000007 HYPE, not 0.075 HYPE.',
    ]);
    expect(changed({ succeeded: false })).toEqual(['The fee with nonce 0 moved 0 HYPE, not 0.075 HYPE.']);
    const [first] = receipt.transfers;
    expect(told(fee, { transfers: [...receipt.transfers, ...(first ? [first] : [])] })).toEqual([
      'The fee was taken 2 times.',
    ]);
  });

  it('is paid before the first order', () => {
    const without = { transfers: receipt.transfers.filter(({ kind }) => kind !== 'fee') };
    expect(told(fee, without)).toEqual(['Orders were placed, and the receipt shows no fee.']);
    expect(told(fee, { ...without, orders: [] })).toEqual([]);
    const failed = transfersWith('fee', { succeeded: false, amount: '0' });
    expect(told(fee, failed, onChain(hashOf('fee'), { succeeded: false }))).toEqual([
      'Orders were placed, and the receipt shows no fee.',
    ]);
    expect(told(fee, transfersWith('fee', { nonce: 2 }))).toEqual(['An order was placed before the fee was paid.']);
    expect(told(fee, transfersWith('fee', { nonce: orderOf(1).nonce }))).toEqual([]);
  });
});

describe('orders', () => {
  const [order] = receipt.orders;
  if (!order) throw new Error('an order');
  const changed = (change: Partial<TransactionFact>) => told(onlyBuys, {}, onChain(order.transactionHash, change));
  const logs = facts.transactions.get(order.transactionHash)?.logs ?? [];

  it('are all there, by their numbers', () => {
    const orders = receipt.orders.filter(({ number }) => number !== 2);
    expect(told(onlyBuys, { orders })[0]).toBe('Order 2 is missing: the receipt goes on with 3.');
  });

  it('that were given up do nothing', () => {
    const voided = (change: Partial<TransactionFact>) =>
      told(onlyBuys, {}, onChain(orderOf(5).transactionHash, change));
    const sentence = ['Order 5 is said to be given up, but its transaction does something.'];
    expect(voided({ to: STRANGER })).toEqual(sentence);
    expect(voided({ valueWei: 1n })).toEqual(sentence);
    expect(voided({ input: '0x00' })).toEqual(sentence);
    expect(told(onlyBuys, ordersWith(5, { receivedTokens: '1' }))[0]).toBe(
      'Order 5 was given up and cannot have brought tokens.',
    );
  });

  it('go to their exchange’s router with their amount', () => {
    expect(changed({ to: STRANGER })).toEqual([
      `Order 1 went to ${STRANGER}, which is no router of an exchange that this verifier knows.`,
    ]);
    expect(changed({ to: null })).toEqual([
      'Order 1 went to null, which is no router of an exchange that this verifier knows.',
    ]);
    expect(told(onlyBuys, ordersWith(1, { venue: 'another' }))).toEqual([
      'Order 1 went to the router of hyperswap-v2, and the receipt names another exchange.',
    ]);
    expect(changed({ valueWei: 7n })).toEqual(['Order 1 spends 0.000000000000000007 HYPE, not 0.0004 HYPE.']);
    const larger = LARGEST_ORDER_WEI + 1n;
    expect(changed({ valueWei: larger })).toContain('Order 1 is larger than any order may be.');
    expect(changed({ valueWei: LARGEST_ORDER_WEI })).not.toContain('Order 1 is larger than any order may be.');
  });

  it('are calls that buy', () => {
    const none = ["Order 1 is not the purchase of a token: its call is none of an exchange's buys."];
    expect(changed({ input: '0x' })).toEqual(none);
    const minimum = BigInt(order.minimumTokens);
    const deadline = BigInt(facts.transactions.get(order.transactionHash)?.blockSeconds ?? 0);
    expect(changed({ input: buyCall({ path: [WRAPPED, STRANGER], minimum }) })[0]).toMatch(
      /^Order 1 buys 0x[bB]{40}, not the job's token\.$/,
    );
    expect(changed({ input: buyCall({ minimum: minimum + 1n }) })).toEqual([
      `Order 1 asks for at least ${minimum + 1n} units, not ${minimum}.`,
      `Order 1 asks for ${minimum + 1n} units at least, which does not follow from its quote of ${order.quotedTokens} and the slippage limit of 100 basis points.`,
    ]);
    expect(changed({ input: buyCall({ minimum, deadline: deadline + 120n }) })).toEqual([]);
    expect(changed({ input: buyCall({ minimum, deadline: deadline + 121n }) })).toEqual([
      'Order 1 was valid for longer than 120 seconds.',
    ]);
  });

  it('of another shape of exchange spend all that they send', () => {
    const v3 = new SimulatedExecutor({ venue: V3, orderCount: 1 }).run();
    const [only] = v3.receipt.orders;
    if (!only) throw new Error('an order');
    const all = BigInt(only.tradeWei);
    const spending = (amountIn: bigint, more: CallChange = {}) => {
      const input = buyCall({ minimum: BigInt(only.minimumTokens), amountIn, ...more }, V3);
      return [...onlyBuys.broken(new Evidence(v3.receipt, withTransaction(v3, only.transactionHash, { input })))];
    };
    expect(spending(all)).toEqual([]);
    expect(spending(all - 1n)).toEqual(['Order 1 spends 0.000399999999999999 HYPE of the 0.0004 HYPE that it sends.']);
    expect(spending(all, { sqrtPriceLimitX96: 7n })).toEqual([
      'Order 1 stops at a price, and leaves in the router what it did not spend.',
    ]);
  });

  it('do nothing else and pay wrapped HYPE', () => {
    const minimum = BigInt(order.minimumTokens);
    expect(changed({ input: buyCall({ minimum, referrer: OTHER }) })).toEqual([
      expect.stringMatching(/^Order 1 names 0x9{40} as its referrer, who is paid for it\.$/),
    ]);
    expect(changed({ input: buyCall({ minimum, path: [OTHER, TOKEN] }) })[0]).toMatch(
      /^Order 1 pays with 0x9{40}, which is not wrapped HYPE\.$/,
    );
  });

  it('buy from the factory’s pool with everything', () => {
    const sentence =
      "Order 1 did not buy from a pool that its exchange's factory names for the token: no such pool tells of the trade.";
    const noPool = { ...facts, pools: new Map([...facts.pools.keys()].map((key) => [key, null])) };
    expect(told(onlyBuys, {}, noPool)).toContain(sentence);
    const received = BigInt(order.receivedTokens);
    const own = [swapLog(BigInt(order.tradeWei), received, OTHER), transferLog(OTHER, WALLET, received)];
    expect(changed({ logs: own })).toEqual([sentence]);
    const given = [swapLog(BigInt(order.tradeWei) + 1n, received), transferLog(POOL, WALLET, received)];
    expect(changed({ logs: given })).toEqual([]);
    const part = [swapLog(1n, received), transferLog(POOL, WALLET, received)];
    expect(changed({ logs: part })).toEqual(['Order 1 paid 0.000000000000000001 HYPE of 0.0004 HYPE to its pool.']);
  });

  it('bring what token and pool tell', () => {
    const received = BigInt(order.receivedTokens);
    expect(told(onlyBuys, ordersWith(1, { priceX96: '7' }))[0]).toMatch(
      /^Order 1 was bought at \d+, not at 7 \(wei for the smallest unit × 2\^96\)\.$/,
    );
    expect(changed({ logs: [...logs, transferLog(WALLET, STRANGER, 1n)] })).toEqual([
      'Order 1 moved tokens out of the wallet: it is no purchase.',
    ]);
    const more = changed({ logs: [...logs.slice(0, 1), transferLog(OTHER, WALLET, received - 10n ** 18n)] });
    expect(more).toContain(`Order 1 brought ${Number(received / 10n ** 18n) - 1} tokens, not 39960 tokens.`);
    expect(more).toContain(
      "Order 1 did not buy from a pool that its exchange's factory names for the token: no such pool tells of the trade.",
    );
    expect(changed({ logs: logs.slice(1) })).toEqual([
      "Order 1 did not buy from a pool that its exchange's factory names for the token: no such pool tells of the trade.",
    ]);
  });

  it('bring what the wallet received', () => {
    const [sale, arrival] = logs;
    if (!sale || !arrival) throw new Error('a sale and what arrived of it');
    const pool = `0x${'e2'.repeat(20)}` as const;
    const bringing = (received: bigint, ...all: typeof logs) =>
      told(
        onlyBuys,
        ordersWith(1, { receivedTokens: `${received}`, priceX96: `${priceOf(BigInt(order.tradeWei), received)}` }),
        onChain(order.transactionHash, { logs: all }),
      );
    const received = BigInt(order.receivedTokens);
    const kept = 10n ** 18n;
    const shared = [transferLog(pool, WALLET, received - kept), transferLog(pool, STRANGER, kept)];
    expect(bringing(received - kept, sale, ...shared)).toEqual([]);
    const least = BigInt(order.minimumTokens);
    expect(bringing(least, sale, transferLog(pool, WALLET, least))).toEqual([]);
    expect(bringing(received, sale, arrival, transferLog(STRANGER, WALLET, 1n))).toEqual([]);
    expect(bringing(received, { ...sale, address: OTHER }, sale, arrival)).toEqual([]);
  });

  it('without any event bought nothing', () => {
    const technical = receipt.ending && { ...receipt.ending, kind: 'technical' as const };
    const nothing = { ...ordersWith(1, { receivedTokens: '0', priceX96: null }), ending: technical };
    expect(told(onlyBuys, nothing, onChain(order.transactionHash, { logs: [] }))).toEqual([
      "Order 1 did not buy from a pool that its exchange's factory names for the token: no such pool tells of the trade.",
    ]);
  });

  it('that bring less than they ask for end the job', () => {
    const short = { ...ordersWith(1, { receivedTokens: '1', priceX96: `${BigInt(order.tradeWei) * 2n ** 96n}` }) };
    const chain = onChain(order.transactionHash, {
      logs: [...logs.slice(0, 1), transferLog(`0x${'e2'.repeat(20)}`, WALLET, 1n)],
    });
    expect(told(onlyBuys, short, chain)).toEqual([
      'Order 1 brought less than the least that it asks for, and the job went on.',
    ]);
    const technical = receipt.ending && { ...receipt.ending, kind: 'technical' as const };
    expect(told(onlyBuys, { ...short, ending: technical }, chain)).toEqual([]);
    expect(told(onlyBuys, { ...short, ending: null }, chain)).toHaveLength(1);
  });
});

describe('the price band', () => {
  it('starts at the seen price or first order', () => {
    const quoted = (number: number, quotedTokens: string) => ordersWith(number, { quotedTokens });
    expect(told(priceBand, quoted(2, '0'))).toEqual(['Order 2 was quoted nothing.']);
    expect(told(priceBand, quoted(5, '0'))).toEqual([]);
    const tenth = (10n * BigInt(orderOf(2).quotedTokens)) / 11n;
    expect(told(priceBand, quoted(2, `${tenth}`))).toEqual([]);
    expect(told(priceBand, quoted(2, `${tenth - 10n ** 18n * 4n}`))).toEqual([
      'Order 2 was placed at a price 10.02 % above the one that the band is measured from; at most 10 % were published.',
    ]);
    const unseen = rulesWith({ seenPriceX96: null });
    expect(told(priceBand, { ...unseen, ...quoted(2, `${tenth - 10n ** 18n * 4n}`) })).toHaveLength(1);
    expect(told(priceBand, { ...unseen, ...quoted(1, `${tenth / 2n}`) })).toEqual([]);
    expect(told(priceBand, rulesWith({ seenPriceX96: '0' }))).toEqual([]);
    expect(statement(priceBand)).toBe('Price: no order paid more than 0.00000001001001001 HYPE for a token.');
    expect(statement(priceBand, { orders: [] })).toBe('Price: no order brought anything.');
  });
});

describe('the schedule', () => {
  it('has orders one behind the other', () => {
    const sentence = ['Order 2 came before the one before it.'];
    expect(told(schedule, ordersWith(2, { nonce: 0 }))).toEqual(sentence);
    expect(told(schedule, ordersWith(2, { blockNumber: 0 }))).toEqual(sentence);
    expect(told(schedule, ordersWith(1, { blockNumber: 0, nonce: 0 }))).toEqual([]);
    const { blockNumber, nonce } = orderOf(1);
    expect(told(schedule, ordersWith(2, { blockNumber, nonce }))).toEqual([]);
  });

  it('ends with trading and an order’s validity', () => {
    const last = orderOf(8);
    const endsAt = (ms: number) =>
      told(schedule, rulesWith({ tradingEndsAt: new Date(Date.parse(last.minedAt) - 120_000 + ms).toISOString() }));
    expect(endsAt(0)).toEqual([]);
    expect(endsAt(-1)).toEqual([expect.stringMatching(/^Order 8 was mined at .*, and trading was to end at .*\.$/)]);
    expect(told(schedule, rulesWith({ tradingEndsAt: null }))).toEqual([]);
  });

  const early = (number: number, seconds: number, change: Partial<TransactionFact> = {}) => {
    const fact = facts.transactions.get(orderOf(number).transactionHash);
    const minedAt = new Date(Date.parse(orderOf(number).minedAt) - seconds * 1000).toISOString();
    const deadline = BigInt((fact?.blockSeconds ?? 0) - 2 + 120 - seconds);
    const input = buyCall({ minimum: BigInt(orderOf(number).minimumTokens), deadline });
    return told(
      schedule,
      ordersWith(number, { minedAt }),
      onChain(orderOf(number).transactionHash, { input, ...change }),
    );
  };

  it('accepts a slot of earliness', () => {
    // Slots of 462 s, and two seconds by which clocks round.
    expect(early(2, 464)).toEqual([]);
    expect(early(2, 465)).toEqual([expect.stringContaining('which is 465 s ahead of the schedule')]);
    expect(told(schedule, rulesWith({ slotMs: 462_000 }))).toEqual([]);
  });

  it('accepts mining until validity ends', () => {
    const late = (seconds: number) => {
      const minedAt = new Date(Date.parse(orderOf(2).minedAt) - seconds * 1000).toISOString();
      return told(schedule, ordersWith(2, { minedAt }));
    };
    expect(late(2)).toEqual([]);
    expect(late(700)).toEqual([expect.stringContaining('which is 700 s ahead of the schedule')]);
  });

  it('gives unfilled slots to a replacement order', () => {
    // The third order reverted, the fifth was given up.
    expect(early(4, 926)).toEqual([]);
    expect(early(4, 462 + 583)).toEqual([expect.stringContaining('583 s ahead')]);
    expect(told(schedule, ordersWith(3, { minedAt: orderOf(1).minedAt }))).toEqual([]);
  });

  it('counts as many slots as an order stands for', () => {
    const merged = ordersWith(1, { tradeWei: `${4n * BigInt(orderOf(1).tradeWei)}` });
    expect(told(schedule, merged)[0]).toMatch(/^Order 2 was mined at .*, which is 1386 s ahead of the schedule\.$/);
  });
});

describe('gas', () => {
  it('costs no order more than guardrail and cap', () => {
    const at = (hash: Hex, gwei: bigint) => told(gasPrice, {}, onChain(hash, { gasPriceWei: gwei * 10n ** 8n }));
    expect(at(orderOf(1).transactionHash, 100n)).toEqual([]);
    expect(at(orderOf(1).transactionHash, 151n)).toEqual(['Order 1 paid 15.1 gwei for gas; the rules allow 10 gwei.']);
    expect(at(orderOf(3).transactionHash, 101n)).toHaveLength(1);
    expect(at(orderOf(5).transactionHash, 200n)).toEqual([]);
    expect(at(orderOf(5).transactionHash, 201n)).toHaveLength(1);
    expect(at(hashOf('return'), 200n)).toEqual([]);
    expect(at(hashOf('return'), 201n)).toEqual([expect.stringContaining('paid 20.1 gwei for gas')]);
  });
});

describe('pauses', () => {
  const pause = (from: string, to: string | null) => ({ pauses: [{ reason: 'operator' as const, from, to }] });

  it('match their recorded times', () => {
    expect(told(pauses, pause('2027-01-16T09:00:00.000Z', '2027-01-16T08:59:59.999Z'))).toEqual([
      "The pause 'operator' of 2027-01-16T09:00:00.000Z ends before it begins.",
    ]);
    expect(told(pauses, pause('2027-01-16T09:00:00.000Z', '2027-01-16T09:00:00.000Z'))).toEqual([]);
    expect(told(pauses, pause('2027-01-16T09:00:00.000Z', null))).toEqual([
      "The pause 'operator' of 2027-01-16T09:00:00.000Z has no end, though the job has.",
    ]);
    expect(told(pauses, { ...pause('2027-01-16T09:00:00.000Z', null), state: 'interim' })).toEqual([]);
    expect(statement(pauses)).toBeUndefined();
  });

  it('hold no order but earlier ones', () => {
    const minedAt = Date.parse(orderOf(2).minedAt);
    const at = (ms: number) => new Date(minedAt + ms).toISOString();
    const sentence = `Order 2 was mined in the pause 'operator' that began at`;
    // Decided two seconds before its block; clocks differ by a minute at most.
    expect(told(pauses, pause(at(-62_000), at(60_001)))).toEqual([]);
    expect(told(pauses, pause(at(-62_001), at(60_000)))).toEqual([]);
    expect(told(pauses, pause(at(-62_001), at(60_001)))).toEqual([`${sentence} ${at(-62_001)}.`]);
    const stillOn = told(pauses, { ...pause(at(-62_001), null), state: 'interim' });
    expect(stillOn).toEqual([`${sentence} ${at(-62_001)}.`]);
    // Sent as long before as it is valid.
    const deadline = BigInt(minedAt / 1000);
    const input = buyCall({ minimum: BigInt(orderOf(2).minimumTokens), deadline });
    const sentBefore = onChain(orderOf(2).transactionHash, { input });
    expect(told(pauses, pause(at(-180_000), at(60_001)), sentBefore)).toEqual([]);
    expect(told(pauses, pause(at(-180_001), at(60_001)), sentBefore)).toEqual([`${sentence} ${at(-180_001)}.`]);
    const reverted = Date.parse(orderOf(3).minedAt);
    const alone = pause(new Date(reverted - 180_001).toISOString(), new Date(reverted + 60_001).toISOString());
    expect(told(pauses, alone)).toEqual([]);
  });
});

describe('delivery and returns', () => {
  const sent = BigInt(receipt.sums.deliveredTokens);
  const erc20 = parseAbi(['function transfer(address to, uint256 amount) returns (bool)']);
  const callTo = (to: Hex, amount = sent) =>
    encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [to, amount] });
  const name = `The delivery with nonce ${receipt.transfers.find(({ kind }) => kind === 'delivery')?.nonce}`;
  const delivered = (change: Partial<TransactionFact>) => told(delivery, {}, onChain(hashOf('delivery'), change));

  it('are of the token, and send it', () => {
    expect(delivered({ to: STRANGER })).toEqual([`${name} is no call of the token ${TOKEN}.`]);
    expect(delivered({ valueWei: 1n })).toEqual([`${name} is no call of the token ${TOKEN}.`]);
    expect(delivered({ input: '0x00' })).toEqual([`${name} does something else with the token than to send it.`]);
    expect(
      told(delivery, {}, onChain(hashOf('return'), { logs: [transferLog(WALLET, STRANGER, 10n ** 18n)] })),
    ).toEqual([expect.stringMatching(/^The return with nonce \d+ moved 1 tokens out of the wallet\.$/)]);
    const amongOthers = { logs: [transferLog(STRANGER, OTHER, 10n ** 18n)] };
    expect(told(delivery, {}, onChain(hashOf('return'), amongOthers))).toEqual([]);
    expect(delivered({ logs: [transferLog(WALLET, PAYER, sent), ...amongOthers.logs] })).toEqual([]);
  });

  it('go to the payer, all of it', () => {
    expect(delivered({ input: callTo(STRANGER), logs: [transferLog(WALLET, STRANGER, sent)] })).toEqual([
      `${name} goes to ${STRANGER}, not to ${PAYER}.`,
      `${name} goes to ${STRANGER}, which is neither the payer nor the return address.`,
    ]);
    const both = [transferLog(WALLET, PAYER, sent - 1n), transferLog(WALLET, STRANGER, 1n)];
    expect(delivered({ logs: both })).toEqual([`${name} moved tokens to ${STRANGER} as well.`]);
    expect(delivered({ logs: [transferLog(WALLET, PAYER, sent - 10n ** 18n)] })).toEqual([
      `${name} moved ${sent / 10n ** 18n - 1n} tokens, not ${sent / 10n ** 18n} tokens.`,
    ]);
    expect(delivered({ logs: [transferLog(WALLET, PAYER, sent), transferLog(WALLET, PAYER, sent)] })).toEqual([]);
    expect(statement(delivery, { transfers: [] })).toBe('Nothing was delivered yet.');
  });

  it('of HYPE go to creditors within the income', () => {
    const to = (kind: 'return' | 'refund', address: typeof PAYER) =>
      told(returns, transfersWith(kind, { to: address }), onChain(hashOf(kind), { to: address }));
    expect(to('refund', PAYER)).toEqual([expect.stringContaining('to whom nothing is owed')]);
    expect(to('refund', OTHER)).toEqual([
      expect.stringMatching(/^The refund with nonce \d+ went to 0x9.*, to whom nothing is owed\.$/),
    ]);
    expect(to('return', STRANGER)).toEqual([expect.stringContaining(`went to ${STRANGER}, to whom nothing is owed.`)]);
    const failed = transfersWith('return', { to: STRANGER, succeeded: false, amount: '0' });
    expect(told(returns, failed, onChain(hashOf('return'), { to: STRANGER, succeeded: false }))).toEqual([]);
    const came = parseHype('0.01');
    const more = (amount: bigint) =>
      told(returns, transfersWith('refund', { amount: `${amount}` }), onChain(hashOf('refund'), { valueWei: amount }));
    const gasWei = BigInt(receipt.transfers.find(({ kind }) => kind === 'refund')?.gasWei ?? 0);
    expect(more(came - gasWei)).toEqual([]);
    expect(more(came - gasWei + 1n)).toEqual([
      expect.stringMatching(
        /^The refund with nonce \d+ gives 0.009987000000000001 HYPE to 0xb{40}, who had sent 0.01 HYPE that pay for no order\.$/,
      ),
    ]);
    expect(statement(returns, { transfers: [] })).toBe('Returned: nothing yet.');
  });
});

describe('sums, ending and balance', () => {
  it('come to what is listed, within the budget', () => {
    expect(told(sums, { sums: { ...receipt.sums, leftWei: '7' } })).toEqual([
      "The receipt's leftWei is 7; what it lists comes to 0.",
    ]);
    // 0.7 of it, less the gas reserve of 0.1 HYPE, is for orders.
    expect(told(sums, rulesWith({ paidWei: '146285714285714286' }))).toEqual([]);
    expect(told(sums, rulesWith({ paidWei: '146285714285714280' }))).toEqual([
      expect.stringMatching(
        /^Orders spent 0.0024 HYPE, more than the 0.0023999999999999\d+ HYPE that were for them\.$/,
      ),
    ]);
  });

  it('tell of an end exactly where there is one', () => {
    expect(told(ending, { ending: null })).toEqual(['The receipt is final, and tells of no end.']);
    expect(told(ending, { state: 'interim' })).toEqual(['The receipt is interim, and tells of an end.']);
    expect(told(ending, { state: 'interim', ending: null })).toEqual([]);
    const goingOn = { ...receipt.sums, leftWei: `${parseHype('1')}` };
    expect(told(ending, { state: 'interim', ending: null, sums: goingOn })).toEqual([]);
    expect(statement(ending)).toBe('Orders spent 0.0024 HYPE of the 0.075 HYPE that were for them and for dear gas.');
  });

  it('leave nothing sendable without a reason', () => {
    const left = (wei: bigint, change: Partial<SignedReceipt> = {}) =>
      told(ending, { ...change, sums: { ...receipt.sums, leftWei: `${wei}` } });
    const unsendable = 21_000n * 20_000_000_000n;
    expect(left(unsendable)).toEqual([]);
    expect(left(unsendable + 1n)).toEqual([
      '0.000420000000000001 HYPE stay in the wallet, and the receipt gives no reason.',
    ]);
    expect(left(unsendable + 1n, { heldReason: 'no address' })).toEqual([]);
    const bought = BigInt(receipt.sums.boughtTokens);
    const kept = (tokens: bigint, delivered = bought - tokens) =>
      told(
        ending,
        { sums: { ...receipt.sums, deliveredTokens: `${delivered}` } },
        { ...facts, wallet: { ...facts.wallet, tokens } },
      );
    expect(kept(bought / 1000n)).toEqual([]);
    expect(kept(bought / 1000n + 1n)).toEqual([expect.stringContaining('were bought and not delivered')]);
    expect(kept(bought, 0n)).toEqual([expect.stringContaining('were bought and not delivered')]);
    expect(kept(1n, 0n)).toEqual([expect.stringContaining('were bought and not delivered')]);
    expect(told(ending, { sums: { ...receipt.sums, boughtTokens: '0', deliveredTokens: '0' } })).toEqual([]);
  });

  it('happen in time, or by an operator', () => {
    const at = (ms: number, change: Partial<SignedReceipt> = {}) => {
      const { blockSeconds = 0 } = facts.transactions.get(hashOf('return')) ?? {};
      const latestEndAt = new Date(blockSeconds * 1000 - 60_000 + ms).toISOString();
      return told(ending, { ...rulesWith({ latestEndAt }), ...change });
    };
    expect(at(0)).toEqual([]);
    expect(at(-1)).toEqual([
      expect.stringMatching(/^The delivery was mined at .*, after the latest end .*\.$/),
      expect.stringMatching(/^The return was mined at .*, after the latest end .*\.$/),
    ]);
    expect(at(-1, { releasedAt: '2027-01-18T00:00:00.000Z' })).toEqual([]);
    expect(at(-1, transfersWith('return', { succeeded: false }))).toHaveLength(1);
    expect(told(ending, rulesWith({ latestEndAt: null }))).toEqual([]);
  });

  it('are in the wallet of a current receipt', () => {
    const sentence = (have: string) =>
      `The wallet holds ${have} HYPE, less than the 0.000000000000000005 HYPE that the receipt says are left.`;
    const holding = (balanceWei: bigint, more: Partial<ChainFacts['wallet']> = {}) =>
      told(
        balance,
        { sums: { ...receipt.sums, leftWei: '5' } },
        { ...facts, wallet: { ...facts.wallet, balanceWei, ...more } },
      );
    expect(holding(5n)).toEqual([]);
    expect(holding(4n)).toEqual([sentence('0.000000000000000004')]);
    expect(holding(4n, { nonce: facts.wallet.nonce + 1 })).toEqual([]);
    expect(told(balance, {}, { ...facts, tokenDecimals: 6 })).toEqual(['The token has 6 decimals, not 18.']);
    expect(told(balance, {}, { ...facts, tokenDecimals: null })).toEqual([]);
    expect(statement(balance, {}, { ...facts, wallet: { ...facts.wallet, nonce: 0 } })).toBe(
      'What the wallet holds now is of a later time than this receipt.',
    );
  });

  it('find who else moved tokens', () => {
    const movedOut = [
      { transactionHash: GONE, amount: 10n ** 18n },
      { transactionHash: hashOf('delivery'), amount: 10n ** 18n },
    ];
    const missing = (delivered: bigint) =>
      told(
        balance,
        { sums: { ...receipt.sums, deliveredTokens: `${delivered}` } },
        { ...facts, wallet: { ...facts.wallet, movedOut } },
      );
    const bought = BigInt(receipt.sums.boughtTokens);
    expect(missing(bought)).toEqual([]);
    expect(missing(bought - 1n)).toEqual([
      `1 tokens left the wallet in transaction ${GONE}, which it did not send: they were bought and not delivered.`,
    ]);
  });
});

it('amounts without decimals are in smallest units', () => {
  const silent = new Evidence(receipt, { ...facts, tokenDecimals: null });
  expect(silent.tokens(7n)).toBe('7 units of the token');
  expect(silent.price(7n)).toBe('7 wei for the smallest unit × 2^96');
});
