import { parseHype } from '@maker/rules';
import type { Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import type { TransactionFact } from '../chain/chain-facts.ts';
import type { SignedReceipt } from '../file/receipt-file.ts';
import { PAYER, STRANGER, TREASURY, WALLET } from '../honest-receipt.fixture.ts';
import {
  facts,
  GONE,
  hashOf,
  onChain,
  orderOf,
  ordersWith,
  receipt,
  rulesWith,
  statement,
  told,
  transfersWith,
} from './each-problem.fixture.ts';
import { Evidence } from './evidence.ts';
import { balance, delivery, fee, moneyIn, returns, sums } from './money-rules.ts';
import { onlyBuys, priceBand } from './order-rules.ts';
import { ending, gasPrice, pauses, schedule } from './schedule-rules.ts';
import { rulesKnown, service } from './service-rules.ts';
import { oneWallet, sameChain } from './wallet-rules.ts';

// One fault each, and exactly the sentences of the rule itself, which earlier rules would hide.

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

it('amounts without decimals are in smallest units', () => {
  const silent = new Evidence(receipt, { ...facts, tokenDecimals: null });
  expect(silent.tokens(7n)).toBe('7 units of the token');
  expect(silent.price(7n)).toBe('7 wei for the smallest unit × 2^96');
});
