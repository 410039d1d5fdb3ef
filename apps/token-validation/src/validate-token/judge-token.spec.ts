import type { TradeVerdict } from '@maker/chain';
import { validateTokenResponseSchema } from '@maker/contracts';
import { parseHype } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import type { PoolFact, TokenFacts } from '../token/token-facts.ts';
import { judgeToken } from './judge-token.ts';

const MINIMUM = parseHype('10');
const tradable: TradeVerdict = { kind: 'tradable', buyGas: 100_000n };

const v2 = (liquidity: string, exchangeId = 'hyperswap-v2'): PoolFact => ({
  exchangeId,
  kind: 'uniswap-v2',
  liquidityWei: parseHype(liquidity),
});
const v3 = (liquidity: string, exchangeId = 'hyperswap-v3'): PoolFact => ({
  exchangeId,
  kind: 'uniswap-v3',
  liquidityWei: parseHype(liquidity),
});

function token(pools: readonly PoolFact[], verdict?: TradeVerdict, exchangeId = 'projectx-v3'): TokenFacts {
  const trade = verdict && { exchangeId, ...verdict };
  return { kind: 'token', token: { symbol: 'A', name: 'Token A', decimals: 18 }, pools, ...(trade && { trade }) };
}

const judge = (facts: TokenFacts) => {
  const judgement = judgeToken(facts, MINIMUM);
  validateTokenResponseSchema.parse({ ...judgement, checkedAtBlock: { number: 1, at: '2026-01-01T00:00:00Z' } });
  return judgement;
};

describe('judgeToken', () => {
  it('accepts a liquid token with its best exchange', () => {
    expect(judge(token([v3('40', 'hyperswap-v3'), v2('20.5'), v3('12', 'projectx-v3')], tradable))).toEqual({
      isValid: true,
      liquidityStatus: {
        meetsMinimum: true,
        hasV2: true,
        hasV3: true,
        selectedDex: 'projectx-v3',
        v2LiquidityHype: 20.5,
        v2LiquidityWei: '20500000000000000000',
        v3LiquidityHype: 40,
        v3LiquidityWei: '40000000000000000000',
      },
      token: { symbol: 'A', name: 'Token A', decimals: 18 },
    });
  });

  it('counts Camelot pairs as V2, stable ones not', () => {
    const pair = { exchangeId: 'hyperswap-v2', kind: 'camelot-v2', liquidityWei: parseHype('30') } as const;
    expect(judge(token([pair], tradable)).liquidityStatus).toMatchObject({ hasV2: true, hasV3: false });
    const stable = { ...pair, refusal: 'stable_pair' } as const;
    expect(judge(token([stable]))).toMatchObject({
      isValid: false,
      reason: 'UNSUPPORTED_POOL',
      errorMessage: expect.stringContaining('stable pair'),
      liquidityStatus: { meetsMinimum: false, hasV2: false },
    });
    expect(judge(token([stable, v3('12')], tradable)).isValid).toBe(true);
    expect(judge(token([{ ...stable, liquidityWei: 1n }])).reason).toBe('BELOW_MINIMUM_LIQUIDITY');
  });

  it('accepts exactly the minimum liquidity', () => {
    const atLeast = { exchangeId: 'x', kind: 'uniswap-v2', liquidityWei: MINIMUM } as const;
    expect(judge(token([atLeast], tradable)).isValid).toBe(true);
    expect(judge(token([{ ...atLeast, liquidityWei: MINIMUM - 1n }])).reason).toBe('BELOW_MINIMUM_LIQUIDITY');
  });

  it.each([
    ['a thin pool', token([v2('4')]), true],
    ['two pools below the minimum', token([v2('6'), v3('6')]), true],
    ['an empty pool', token([v2('0')]), false],
    ['no pool', token([]), false],
  ])('refuses %s with the sentence of specification § 8', (_, facts, hasV2) => {
    const { isValid, reason, errorMessage, liquidityStatus } = judge(facts);
    expect({ isValid, reason, errorMessage }).toEqual({
      isValid: false,
      reason: 'BELOW_MINIMUM_LIQUIDITY',
      errorMessage: 'Token does not meet minimum liquidity requirements',
    });
    expect(liquidityStatus).toMatchObject({ meetsMinimum: false, hasV2 });
  });

  it.each([
    [
      'FEE_ON_TRANSFER',
      { kind: 'fee_on_transfer', step: 'buy', lostBps: 500n },
      'takes a fee of about 5% when it is bought',
    ],
    ['FEE_ON_TRANSFER', { kind: 'fee_on_transfer', step: 'sale' }, 'takes a fee when it is sold'],
    ['FEE_ON_TRANSFER', { kind: 'fee_on_transfer', step: 'transfer', lostBps: 25n }, 'about 0.25% when it is sent'],
    ['CANNOT_BUY', { kind: 'cannot_buy', reason: '' }, 'cannot be bought'],
    ['CANNOT_SELL', { kind: 'cannot_sell', reason: '' }, 'cannot be sold, or it limits trades in one block'],
    ['CANNOT_TRANSFER', { kind: 'cannot_transfer', reason: '' }, 'could not deliver it to you'],
  ] as const)('refuses %s with a specific sentence', (reason, trade, words) => {
    const judgement = judge(token([v2('30')], trade));
    expect(judgement).toMatchObject({ isValid: false, reason, liquidityStatus: { meetsMinimum: true } });
    expect(judgement.errorMessage).toContain(words);
  });

  it('refuses a wallet and a contract that is no token', () => {
    expect(judge({ kind: 'no_contract' })).toMatchObject({ isValid: false, reason: 'NOT_A_CONTRACT' });
    expect(judge({ kind: 'no_token' })).toMatchObject({ isValid: false, reason: 'NOT_A_TOKEN' });
  });

  it('never accepts a token without a trial', () => {
    expect(() => judge(token([v2('30')]))).toThrow('needs a trial');
  });
});
