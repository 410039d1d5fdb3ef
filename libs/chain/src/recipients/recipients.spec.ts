import type { Address } from 'viem';
import { describe, expect, it } from 'vitest';
import type { VerifiedExchange } from '../shapes/shapes.ts';
import { judgeRecipient } from './recipients.ts';

const address = (pair: string): Address => `0x${pair.repeat(20)}`;
const TOKEN = address('a1');
const WALLET = address('b1');
const EXCHANGE = {
  kind: 'uniswap-v3',
  factory: address('c1'),
  router: address('c2'),
  quoter: address('c3'),
  wrappedNative: address('c4'),
} as VerifiedExchange;

const TREASURY = address('e1');

const judge = (recipient: Address, facts = {}) =>
  judgeRecipient(recipient, { token: TOKEN, treasury: TREASURY }, [EXCHANGE], { code: '0x', ...facts });

describe('judgeRecipient', () => {
  it('accepts a wallet, also one that delegates', () => {
    expect(judge(WALLET)).toEqual({ isContract: false });
    expect(judge(WALLET, { code: `0xef0100${'d1'.repeat(20)}` })).toEqual({ isContract: false });
  });

  it.each([
    [TOKEN, /token's own contract/],
    [TREASURY, /service's own wallet/],
    [EXCHANGE.factory, /exchange's contract/],
    [EXCHANGE.router, /exchange's contract/],
    [address('c3'), /exchange's contract/],
    [EXCHANGE.wrappedNative, /wrapped HYPE/],
  ])('refuses %s', (recipient, problem) => {
    expect(judge(recipient, { code: '0x60' }).problem).toMatch(problem);
  });

  it('rejects pools of known factories only', () => {
    expect(judge(WALLET, { code: '0x60', factory: EXCHANGE.factory }).problem).toMatch(/exchange's pool/);
    expect(judge(WALLET, { code: '0x60', factory: address('d2') })).toEqual({ isContract: true });
  });
});
