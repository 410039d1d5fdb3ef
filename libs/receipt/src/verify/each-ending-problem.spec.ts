import { parseHype } from '@maker/rules';
import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import type { ChainFacts, TransactionFact } from '../chain/chain-facts.ts';
import type { SignedReceipt } from '../file/receipt-file.ts';
import { PAYER, STRANGER, TOKEN, transferLog, WALLET } from '../honest-receipt.fixture.ts';
import {
  facts,
  found,
  GONE,
  hashOf,
  OTHER,
  onChain,
  receipt,
  rulesWith,
  statement,
  transfersWith,
} from './each-problem.fixture.ts';
import { balance, delivery, returns, sums } from './money-rules.ts';
import { purpose } from './purpose-rules.ts';
import { ending } from './schedule-rules.ts';

// Each case has one fault and calls the rule directly, because an earlier rule would report it first.

describe('delivery and returns', () => {
  const sent = BigInt(receipt.sums.deliveredTokens);
  const erc20 = parseAbi(['function transfer(address to, uint256 amount) returns (bool)']);
  const callTo = (to: Hex, amount = sent) =>
    encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [to, amount] });
  const name = `The delivery with nonce ${receipt.transfers.find(({ kind }) => kind === 'delivery')?.nonce}`;
  const delivered = (change: Partial<TransactionFact>) => found(delivery, {}, onChain(hashOf('delivery'), change));

  it('may be of another token after a release', () => {
    const released = { releasedAt: '2027-01-18T00:00:00.000Z' };
    const nothing = transfersWith('delivery', { amount: '0' });
    const ofOther = (change: Partial<TransactionFact>) =>
      onChain(hashOf('delivery'), { to: STRANGER, logs: [], ...change });
    expect(found(delivery, { ...released, ...nothing }, ofOther({}))).toEqual([]);
    const isNoCall = `${name} is not a call of the token ${TOKEN}.`;
    expect(found(delivery, nothing, ofOther({}))).toEqual([isNoCall]);
    expect(found(delivery, { ...released, ...nothing }, ofOther({ valueWei: 1n }))).toEqual([isNoCall]);
    const moved = { logs: [transferLog(WALLET, OTHER, 10n ** 18n)] };
    expect(found(delivery, { ...released, ...nothing }, ofOther(moved))).toContain(isNoCall);
  });

  it('are of the token, and send it', () => {
    expect(delivered({ to: STRANGER })).toEqual([`${name} is not a call of the token ${TOKEN}.`]);
    expect(delivered({ valueWei: 1n })).toEqual([`${name} is not a call of the token ${TOKEN}.`]);
    expect(delivered({ input: '0x00' })).toEqual([`${name} is not a transfer of tokens.`]);
    expect(
      found(delivery, {}, onChain(hashOf('return'), { logs: [transferLog(WALLET, STRANGER, 10n ** 18n)] })),
    ).toEqual([expect.stringMatching(/^The return with nonce \d+ moved 1 tokens out of the wallet\.$/)]);
    const amongOthers = { logs: [transferLog(STRANGER, OTHER, 10n ** 18n)] };
    expect(found(delivery, {}, onChain(hashOf('return'), amongOthers))).toEqual([]);
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
      found(returns, transfersWith(kind, { to: address }), onChain(hashOf(kind), { to: address }));
    expect(to('refund', PAYER)).toEqual([expect.stringContaining('which is owed nothing')]);
    expect(to('refund', OTHER)).toEqual([
      expect.stringMatching(/^The refund with nonce \d+ went to 0x9.*, which is owed nothing\.$/),
    ]);
    expect(to('return', STRANGER)).toEqual([expect.stringContaining(`went to ${STRANGER}, which is owed nothing.`)]);
    const failed = transfersWith('return', { to: STRANGER, succeeded: false, amount: '0' });
    expect(found(returns, failed, onChain(hashOf('return'), { to: STRANGER, succeeded: false }))).toEqual([]);
    const came = parseHype('0.01');
    const more = (amount: bigint) =>
      found(returns, transfersWith('refund', { amount: `${amount}` }), onChain(hashOf('refund'), { valueWei: amount }));
    const gasWei = BigInt(receipt.transfers.find(({ kind }) => kind === 'refund')?.gasWei ?? 0);
    expect(more(came - gasWei)).toEqual([]);
    expect(more(came - gasWei + 1n)).toEqual([
      expect.stringMatching(
        /^The refund with nonce \d+ gives 0.009987000000000001 HYPE to 0xb{40}, which had sent only 0.01 HYPE for no order\.$/,
      ),
    ]);
    expect(statement(returns, { transfers: [] })).toBe('Returned: nothing yet.');
  });
});

describe('sums, ending and balance', () => {
  it('match the listed entries and the budget', () => {
    expect(found(sums, { sums: { ...receipt.sums, leftWei: '7' } })).toEqual([
      "The receipt's leftWei is 7, but its entries add up to 0.",
    ]);
    // The order budget is 70 % of it less the gas reserve of 0.1 HYPE.
    expect(found(sums, rulesWith({ paidWei: '146285714285714286' }))).toEqual([]);
    expect(found(sums, rulesWith({ paidWei: '146285714285714280' }))).toEqual([
      expect.stringMatching(/^Orders spent 0.0024 HYPE, more than the order budget of 0.0023999999999999\d+ HYPE\.$/),
    ]);
  });

  it('require an end in a final receipt only', () => {
    expect(found(ending, { ending: null })).toEqual(['The receipt is final, but states no end.']);
    expect(found(ending, { state: 'interim' })).toEqual(['The receipt is interim, but states an end.']);
    expect(found(ending, { state: 'interim', ending: null })).toEqual([]);
    const goingOn = { ...receipt.sums, leftWei: `${parseHype('1')}` };
    expect(found(ending, { state: 'interim', ending: null, sums: goingOn })).toEqual([]);
    expect(statement(purpose)).toBe(
      'Orders spent 0.0024 HYPE of the order budget of 0.075 HYPE, which also pays for expensive gas.',
    );
  });

  it('require a reason for money that stays', () => {
    const left = (wei: bigint, change: Partial<SignedReceipt> = {}) =>
      found(ending, { ...change, sums: { ...receipt.sums, leftWei: `${wei}` } });
    const unsendable = 21_000n * 20_000_000_000n;
    expect(left(unsendable)).toEqual([]);
    expect(left(unsendable + 1n)).toEqual([
      '0.000420000000000001 HYPE stay in the wallet, but the receipt gives no reason.',
    ]);
    expect(left(unsendable + 1n, { heldReason: 'no address' })).toEqual([]);
    const bought = BigInt(receipt.sums.boughtTokens);
    const kept = (tokens: bigint, delivered = bought - tokens) =>
      found(
        ending,
        { sums: { ...receipt.sums, deliveredTokens: `${delivered}` } },
        { ...facts, wallet: { ...facts.wallet, tokens } },
      );
    expect(kept(bought / 1000n)).toEqual([]);
    expect(kept(bought / 1000n + 1n)).toEqual([expect.stringContaining('were bought and not delivered')]);
    expect(kept(bought, 0n)).toEqual([expect.stringContaining('were bought and not delivered')]);
    expect(kept(1n, 0n)).toEqual([expect.stringContaining('were bought and not delivered')]);
    expect(found(ending, { sums: { ...receipt.sums, boughtTokens: '0', deliveredTokens: '0' } })).toEqual([]);
  });

  it('happen in time, or by an operator', () => {
    const at = (ms: number, change: Partial<SignedReceipt> = {}) => {
      const { blockSeconds = 0 } = facts.transactions.get(hashOf('return')) ?? {};
      const latestEndAt = new Date(blockSeconds * 1000 - 60_000 + ms).toISOString();
      return found(ending, { ...rulesWith({ latestEndAt }), ...change });
    };
    expect(at(0)).toEqual([]);
    expect(at(-1)).toEqual([
      expect.stringMatching(/^The delivery was mined at .*, after the latest end .*\.$/),
      expect.stringMatching(/^The return was mined at .*, after the latest end .*\.$/),
    ]);
    expect(at(-1, { releasedAt: '2027-01-18T00:00:00.000Z' })).toEqual([]);
    expect(at(-1, transfersWith('return', { succeeded: false }))).toHaveLength(1);
    expect(found(ending, rulesWith({ latestEndAt: null }))).toEqual([]);
  });

  it('are in the wallet of a current receipt', () => {
    const sentence = (have: string) =>
      `The wallet holds ${have} HYPE, less than the 0.000000000000000005 HYPE that the receipt lists as left.`;
    const holding = (balanceWei: bigint, more: Partial<ChainFacts['wallet']> = {}) =>
      found(
        balance,
        { sums: { ...receipt.sums, leftWei: '5' } },
        { ...facts, wallet: { ...facts.wallet, balanceWei, ...more } },
      );
    expect(holding(5n)).toEqual([]);
    expect(holding(4n)).toEqual([sentence('0.000000000000000004')]);
    expect(holding(4n, { nonce: facts.wallet.nonce + 1 })).toEqual([]);
    expect(found(balance, {}, { ...facts, tokenDecimals: 6 })).toEqual(['The token has 6 decimals, not 18.']);
    expect(found(balance, {}, { ...facts, tokenDecimals: null })).toEqual([]);
    // A newer wallet proves nothing about the receipt.
    expect(statement(balance, {}, { ...facts, wallet: { ...facts.wallet, nonce: 0 } })).toBe('');
  });

  it('find tokens that others moved', () => {
    const movedOut = [
      { transactionHash: GONE, amount: 10n ** 18n },
      { transactionHash: hashOf('delivery'), amount: 10n ** 18n },
    ];
    const missing = (delivered: bigint) =>
      found(
        balance,
        { sums: { ...receipt.sums, deliveredTokens: `${delivered}` } },
        { ...facts, wallet: { ...facts.wallet, movedOut } },
      );
    const bought = BigInt(receipt.sums.boughtTokens);
    expect(missing(bought)).toEqual([]);
    expect(missing(bought - 1n)).toEqual([
      `1 tokens were bought and not delivered: they left the wallet in transaction ${GONE}, which it did not send.`,
    ]);
  });
});
