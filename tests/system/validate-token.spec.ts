import { describe, expect, it } from 'vitest';
import { ownStackForFile } from '../support/own-stack-for-file.ts';

const own = ownStackForFile();

describe('POST /validate-token (specification § 2, design § 7)', () => {
  it('finds both exchanges of a deep token', async () => {
    const answer = await own.product.validate(own.product.stack.tokens.both);
    expect(answer).toMatchObject({
      isValid: true,
      liquidityStatus: { meetsMinimum: true, hasV2: true, hasV3: true },
    });
    expect(answer.liquidityStatus.v2LiquidityHype).toBeGreaterThan(100);
    expect(answer.liquidityStatus.v3LiquidityHype).toBeGreaterThan(100);
    expect(answer.liquidityStatus.selectedDex).toMatch(/^uniswap-v[23]$/);
  });

  it.each([
    ['v2Only', true, false, 'uniswap-v2'],
    ['v3Only', false, true, 'uniswap-v3'],
    ['camelotOnly', true, false, 'camelot'],
    ['router02Only', false, true, 'uniswap-v3-router02'],
    ['algebraOnly', false, true, 'algebra'],
  ] as const)('finds the one exchange of %s', async (name, hasV2, hasV3, selectedDex) => {
    const answer = await own.product.validate(own.product.stack.tokens[name]);
    expect(answer).toMatchObject({ isValid: true, liquidityStatus: { hasV2, hasV3, selectedDex } });
  });

  it.each(['thin', 'unpaired'] as const)('refuses %s with the sentence of specification § 8', async (name) => {
    const answer = await own.product.validate(own.product.stack.tokens[name]);
    expect(answer).toMatchObject({
      isValid: false,
      errorMessage: 'Token does not meet minimum liquidity requirements',
      liquidityStatus: { meetsMinimum: false },
    });
  });

  it('rejects a token with a transfer fee', async () => {
    const answer = await own.product.validate(own.product.stack.tokens.taxed);
    expect(answer).toMatchObject({ isValid: false, reason: 'FEE_ON_TRANSFER' });
    expect(answer.errorMessage).toMatch(/fee|tax/i);
  });

  it('rejects a token that cannot be sold', async () => {
    const answer = await own.product.validate(own.product.stack.tokens.honeypot);
    expect(answer).toMatchObject({ isValid: false, reason: 'CANNOT_SELL' });
    expect(answer.errorMessage).toMatch(/sell|sold/i);
  });

  it('refuses an address without a contract', async () => {
    const answer = await own.product.validate(own.product.stack.payer.address);
    expect(answer).toMatchObject({ isValid: false, reason: 'NOT_A_CONTRACT' });
  });
});
