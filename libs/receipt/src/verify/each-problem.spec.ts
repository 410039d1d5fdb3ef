import { parseHype } from '@maker/rules';
import type { Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import type { TransactionFact } from '../chain/chain-facts.ts';
import type { SignedReceipt } from '../file/receipt-file.ts';
import { PAYER, STRANGER, TREASURY, WALLET } from '../honest-receipt.fixture.ts';
import {
  facts,
  found,
  GONE,
  hashOf,
  onChain,
  orderOf,
  ordersWith,
  receipt,
  rulesWith,
  statement,
  transfersWith,
} from './each-problem.fixture.ts';
import { Evidence } from './evidence.ts';
import { balance, delivery, fee, moneyIn, returns, sums } from './money-rules.ts';
import { onlyBuys, priceBand } from './order-rules.ts';
import { ending, gasPrice, pauses, schedule } from './schedule-rules.ts';
import { rulesKnown, service } from './service-rules.ts';
import { oneWallet, sameChain } from './wallet-rules.ts';

// Each case has one fault and calls the rule directly, because an earlier rule would report it first.

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
  for (const rule of [...all, delivery, returns, sums, ending, balance]) expect(found(rule)).toEqual([]);
});

it('the evidence has only transactions that were found', () => {
  expect(new Evidence({ ...receipt, payer: null, returnAddress: STRANGER }, facts).owners).toEqual([STRANGER]);
  expect(new Evidence({ ...receipt, returnAddress: null }, facts).owners).toEqual([PAYER]);
  expect(() => new Evidence(receipt, facts).transaction(GONE)).toThrow(`${GONE} was used before it was found`);
});

describe('chain and wallet', () => {
  it('match the chain and the newest block', () => {
    expect(found(sameChain, {}, { ...facts, chainId: 1 })).toEqual([
      'The receipt is of chain 999, but the endpoint is of chain 1.',
    ]);
    const block = receipt.asOf?.blockNumber ?? 0;
    expect(found(sameChain, {}, { ...facts, asOfBlockHash: GONE })).toEqual([
      `Block ${block} of the chain has another hash than the receipt says.`,
    ]);
    const asOf = receipt.asOf && { ...receipt.asOf, blockNumber: block + 1 };
    expect(found(sameChain, { asOf })).toEqual([
      `The receipt says that its newest block is ${block + 1}, but its newest transaction is in block ${block}.`,
    ]);
    expect(found(sameChain, { asOf: null })).toEqual([
      `The receipt says that its newest block is none, but its newest transaction is in block ${block}.`,
    ]);
    expect(found(sameChain, { orders: [], transfers: [] })).toEqual([
      `The receipt says that its newest block is ${block}, but its newest transaction is in block none.`,
    ]);
    expect(found(sameChain, { orders: [], transfers: [], asOf: null })).toEqual([]);
    expect(statement(sameChain, { asOf: null })).toBe('The chain is 999.');
  });

  it('count the transactions of the wallet', () => {
    const nonce = facts.wallet.nonce;
    const sent = (count: number) => ({ ...facts, wallet: { ...facts.wallet, nonce: count } });
    expect(found(oneWallet, {}, sent(nonce - 1))).toEqual([
      `The wallet has sent ${nonce - 1} transactions, fewer than the ${nonce} in the receipt.`,
    ]);
    expect(found(oneWallet, {}, sent(nonce + 1))).toEqual([
      `The wallet has sent ${nonce + 1} transactions, but the receipt explains only ${nonce}.`,
    ]);
    expect(found(oneWallet, { state: 'interim' }, sent(nonce + 1))).toEqual([]);
    expect(statement(oneWallet, {}, sent(nonce + 1))).toBe(
      `One wallet: the receipt explains the first ${nonce} transactions that ${WALLET} has sent.`,
    );
    expect(found(oneWallet, {}, { ...facts, wallet: { ...facts.wallet, hasCode: true } })).toEqual([
      `${WALLET} is a contract, so others may move its money.`,
    ]);
  });

  it('find each named transaction', () => {
    const order = orderOf(2);
    const changed = (change: Partial<TransactionFact>) => found(oneWallet, {}, onChain(order.transactionHash, change));
    expect(changed({ from: STRANGER })).toEqual([`Order 2 was sent by ${STRANGER}, not by the job's wallet.`]);
    expect(changed({ nonce: 77 })).toEqual([`Order 2 has nonce 77 on the chain, not ${order.nonce}.`]);
    expect(changed({ blockNumber: 77 })).toEqual([`Order 2 is in block 77, not in ${order.blockNumber}.`]);
    expect(changed({ gasWei: 7n })).toEqual([`Order 2 cost 7 wei of gas, not ${order.gasWei}.`]);
    expect(changed({ succeeded: false })).toEqual(['Order 2 reverted on the chain, but the receipt says otherwise.']);
    expect(changed({ blockSeconds: 0 })).toEqual([
      `Order 2 was mined at 1970-01-01T00:00:00.000Z, not at ${order.minedAt}.`,
    ]);
    expect(found(oneWallet, {}, onChain(orderOf(3).transactionHash, { succeeded: true }))).toEqual([
      'Order 3 succeeded on the chain, but the receipt says otherwise.',
    ]);
    expect(found(oneWallet, {}, onChain(hashOf('fee'), { succeeded: false }))).toEqual([
      'The fee with nonce 0 reverted on the chain, but the receipt says otherwise.',
    ]);
    expect(found(oneWallet, ordersWith(2, { transactionHash: GONE }))).toEqual([
      `Order 2 names transaction ${GONE}, which is not on the chain.`,
    ]);
  });

  it('find gaps and repetitions', () => {
    const order = orderOf(8);
    const twice = found(oneWallet, { orders: [...receipt.orders, { ...order, number: 9 }] });
    expect(twice[0]).toBe(`The receipt lists the wallet's transaction with nonce ${order.nonce} twice.`);
    const gap = found(oneWallet, { orders: receipt.orders.filter(({ number }) => number !== 4) });
    expect(gap[0]).toBe(`The receipt does not explain the wallet's transaction with nonce ${orderOf(4).nonce}.`);
  });

  it('find the time of the newest block', () => {
    const { asOf } = receipt;
    expect(found(oneWallet, { asOf: asOf && { ...asOf, at: '2027-01-01T00:00:00.000Z' } })).toEqual([
      `Block ${asOf?.blockNumber} is of ${asOf?.at}, but the receipt says 2027-01-01T00:00:00.000Z.`,
    ]);
    expect(found(oneWallet, {}, onChain(hashOf('fee'), { blockSeconds: 0 }))).toEqual([]);
  });

  it('skip the time without the newest block', () => {
    const { asOf } = receipt;
    expect(found(oneWallet, { asOf: null })).toEqual([]);
    expect(found(oneWallet, { asOf: asOf && { ...asOf, blockNumber: 9999 } })).toEqual([]);
  });
});

describe('the deposits', () => {
  const [paid, late] = receipt.deposits;
  if (!paid?.transactionHash || !late?.transactionHash) throw new Error('two deposits');
  const deposits = (...all: SignedReceipt['deposits']) => ({ deposits: all });
  const paying = (change: Partial<TransactionFact>) => onChain(paid.transactionHash as Hex, change);

  it('count once and add up to the payment', () => {
    expect(found(moneyIn, deposits(paid, late, late))).toEqual([`Deposit ${late.transactionHash} is counted twice.`]);
    expect(found(moneyIn, rulesWith({ paidWei: `${parseHype('0.3')}` }))).toEqual([
      'The deposits that pay for the job add up to 0.25 HYPE, not to 0.3 HYPE.',
    ]);
  });

  it('are from the named payer', () => {
    expect(found(moneyIn, { payer: STRANGER })).toEqual([
      `The payment is from ${PAYER}, but the receipt names ${STRANGER}.`,
    ]);
    expect(found(moneyIn, { payer: null })).toEqual([`The payment is from ${PAYER}, but the receipt names no payer.`]);
    const both = { ...deposits(paid, { ...late, pays: true }), ...rulesWith({ paidWei: `${parseHype('0.26')}` }) };
    expect(found(moneyIn, both)).toEqual([
      `The receipt names ${PAYER} as the payer, but the payment is not from this address alone.`,
    ]);
    expect(found(moneyIn, { ...both, payer: null })).toEqual([]);
    expect(statement(moneyIn, { payer: null })).toBe(
      'The job was paid with 0.25 HYPE, but not by the transfers of a single sender.',
    );
  });

  it('are never from the treasury or the wallet', () => {
    const from = (address: typeof PAYER) =>
      found(moneyIn, { payer: address, ...deposits({ ...paid, from: address }, late) }, paying({ from: address }));
    expect(from(TREASURY)).toEqual([`The treasury ${TREASURY} paid for the job: its money must not trade.`]);
    expect(from(WALLET)).toEqual(['The wallet paid for itself.']);
  });

  it('match the chain', () => {
    const name = 'The deposit of 0.25 HYPE';
    expect(found(moneyIn, {}, paying({ succeeded: false }))).toEqual([
      `${name} names transaction ${paid.transactionHash}, which reverted.`,
    ]);
    expect(found(moneyIn, {}, paying({ blockNumber: 77 }))).toEqual([
      `${name} came in block 77, not in ${paid.blockNumber}.`,
    ]);
    expect(found(moneyIn, {}, paying({ valueWei: 7n }))).toEqual([
      `${name} is 0.000000000000000007 HYPE on the chain.`,
    ]);
    expect(found(moneyIn, {}, paying({ from: STRANGER }))).toEqual([
      `${name} came from ${STRANGER}, not from ${PAYER}.`,
    ]);
    const elsewhere = [
      `${name} names transaction ${paid.transactionHash}, which does not pay the job's wallet.`,
      `${name} names a sender that the chain does not show.`,
    ];
    expect(found(moneyIn, {}, paying({ to: STRANGER }))).toEqual(elsewhere);
    expect(found(moneyIn, {}, paying({ valueWei: 0n }))).toEqual(elsewhere);
    expect(found(moneyIn, deposits({ ...paid, transactionHash: GONE }, late))).toEqual([
      `${name} names transaction ${GONE}, which is not on the chain.`,
    ]);
  });

  it('have no sender if untraced', () => {
    const untraced = (change: Partial<typeof paid>, chain = facts) =>
      found(moneyIn, { payer: null, ...deposits({ ...paid, kind: 'untraced', from: null, ...change }, late) }, chain);
    const inside = paying({ to: STRANGER });
    expect(untraced({}, inside)).toEqual([]);
    expect(untraced({ transactionHash: null })).toEqual([]);
    const half = `${parseHype('0.125')}`;
    const nameless = { ...paid, kind: 'untraced', from: null, transactionHash: null, amountWei: half } as const;
    expect(found(moneyIn, { payer: null, ...deposits(nameless, nameless, late) })).toEqual([]);
    expect(untraced({})[0]).toBe(
      `The deposit of 0.25 HYPE is listed as untraced, but is a plain transfer from ${PAYER}.`,
    );
    expect(untraced({ transactionHash: null, kind: 'transfer' })).toEqual([
      'The deposit of 0.25 HYPE is listed as a transfer, but names no transaction.',
    ]);
    expect(untraced({ transactionHash: null, from: PAYER })[0]).toBe(
      'The deposit of 0.25 HYPE names a sender, but no transaction that proves it.',
    );
  });
});

describe('the fee', () => {
  it('is the part of the payment in the rules', () => {
    expect(found(fee, rulesWith({ feePercent: 31 }))).toEqual(['The published fee is 30 %, not 31 %.']);
    expect(found(fee, transfersWith('fee', { amount: '7' }), onChain(hashOf('fee'), { valueWei: 7n }))).toEqual([
      'The fee is 0.000000000000000007 HYPE; 30 % of 0.25 HYPE is 0.075 HYPE.',
    ]);
  });

  it('is one plain transfer to the treasury', () => {
    const changed = (change: Partial<TransactionFact>) => found(fee, {}, onChain(hashOf('fee'), change));
    expect(changed({ input: '0x00' })).toEqual(['The fee with nonce 0 calls a contract instead of only moving HYPE.']);
    expect(changed({ to: STRANGER })).toEqual([`The fee with nonce 0 went to ${STRANGER}, not to ${TREASURY}.`]);
    expect(changed({ valueWei: 7n })).toEqual([
      'The fee with nonce 0 moved 0.000000000000000007 HYPE, not 0.075 HYPE.',
    ]);
    expect(changed({ succeeded: false })).toEqual(['The fee with nonce 0 moved 0 HYPE, not 0.075 HYPE.']);
    const [first] = receipt.transfers;
    expect(found(fee, { transfers: [...receipt.transfers, ...(first ? [first] : [])] })).toEqual([
      'The fee was taken 2 times.',
    ]);
  });

  it('is paid before the first order', () => {
    const without = { transfers: receipt.transfers.filter(({ kind }) => kind !== 'fee') };
    expect(found(fee, without)).toEqual(['Orders were placed, but the receipt shows no fee.']);
    expect(found(fee, { ...without, orders: [] })).toEqual([]);
    const failed = transfersWith('fee', { succeeded: false, amount: '0' });
    expect(found(fee, failed, onChain(hashOf('fee'), { succeeded: false }))).toEqual([
      'Orders were placed, but the receipt shows no fee.',
    ]);
    expect(found(fee, transfersWith('fee', { nonce: 2 }))).toEqual(['An order was placed before the fee was paid.']);
    expect(found(fee, transfersWith('fee', { nonce: orderOf(1).nonce }))).toEqual([]);
  });
});

it('amounts without decimals are in smallest units', () => {
  const silent = new Evidence(receipt, { ...facts, tokenDecimals: null });
  expect(silent.tokens(7n)).toBe('7 units of the token');
  expect(silent.price(7n)).toBe('7 wei for the smallest unit × 2^96');
});
