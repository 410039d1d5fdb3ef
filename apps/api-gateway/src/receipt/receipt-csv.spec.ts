import { parseHype } from '@maker/rules';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  depositLine,
  heldLine,
  orderLine,
  pauseLine,
  qualityLines,
  RECEIPT_CSV_HEADER,
  transferLine,
} from './receipt-csv.ts';

const hash = `0x${'a'.repeat(64)}` as const;
const WALLET = `0x${'b'.repeat(40)}`;
const TOKEN = { address: `0x${'c'.repeat(40)}`, decimals: 3 };
const columns = RECEIPT_CSV_HEADER.trim().split(',');
const read = (line: string) =>
  Object.fromEntries(
    line
      .trim()
      .split(',')
      .map((value, index) => [columns[index], value]),
  );

const order = {
  number: 7,
  status: 'final',
  transactionHash: hash,
  exchange: 'uniswap-v3',
  tradeWei: '300000000000000',
  gasWei: '100000000000001',
  tokensBought: '1500000',
  quotedTokens: '1600000',
  minimumTokens: '1400000',
  merged: 3,
  retryOf: 5,
  // For a whole token with 6 decimals: 0.000199 and 0.0002 HYPE.
  poolPriceBeforeX96: `${199_000_000n * 2n ** 96n}`,
  poolPriceAfterX96: `${200_000_000n * 2n ** 96n}`,
  poolFeeWei: '900000000000',
  placedAt: '2026-01-01T00:00:00.000Z',
  minedAt: '2026-01-01T00:00:01.000Z',
  blockNumber: 12,
} as const;

describe('receipt.csv', () => {
  it('names sender, block and time of the deposit', () => {
    const mined = { from: `0x${'d'.repeat(40)}`, blockNumber: 11, minedAt: '2026-01-01T00:00:00.000Z' };
    const deposit = { transactionHash: hash, amountWei: '500000000000000000', ...mined };
    expect(read(depositLine(deposit, WALLET))).toMatchObject({
      kind: 'deposit',
      transaction_hash: hash,
      mined_at: mined.minedAt,
      block_number: '11',
      from: mined.from,
      to: WALLET,
      asset: 'HYPE',
      amount: '0.5',
      amount_hype: '0.5',
      tokens: '',
    });
  });

  it('gives each order hash, quote, minimum, price and cost', () => {
    expect(read(orderLine(order, 6, WALLET))).toEqual({
      kind: 'order',
      number: '7',
      status: 'final',
      transaction_hash: hash,
      placed_at: '2026-01-01T00:00:00.000Z',
      mined_at: '2026-01-01T00:00:01.000Z',
      block_number: '12',
      exchange: 'uniswap-v3',
      from: WALLET,
      to: '',
      asset: 'HYPE',
      amount: '0.0003',
      amount_hype: '0.0003',
      gas_hype: '0.000100000000000001',
      cost_hype: '0.000400000000000001',
      tokens: '1.5',
      price_hype_per_token: '0.0002',
      quoted_tokens: '1.6',
      minimum_tokens: '1.4',
      merged: '3',
      retry_of: '5',
      failure: '',
      pool_price_before: '0.000199',
      pool_price_after: '0.0002',
      pool_fee_hype: '0.0000009',
      figure: '',
      value: '',
      since: '',
      until: '',
      reason: '',
    });
  });

  it('has no price for an order without tokens', () => {
    const failed = { ...order, status: 'failed', tokensBought: '0' } as const;
    expect(read(orderLine(failed, 18, WALLET))).toMatchObject({ tokens: '0', price_hype_per_token: '' });
  });

  it('shows HYPE of fee and return, tokens of delivery', () => {
    const mined = { blockNumber: 12, minedAt: '2026-01-01T00:00:01.000Z' };
    const shared = { status: 'final', transactionHash: hash, to: '0xt', amount: '1500', gasWei: '21' } as const;
    const transfer = { ...shared, ...mined };
    expect(read(transferLine({ ...transfer, kind: 'fee' }, TOKEN, WALLET))).toMatchObject({
      kind: 'fee',
      mined_at: '2026-01-01T00:00:01.000Z',
      block_number: '12',
      from: WALLET,
      asset: 'HYPE',
      amount: '0.0000000000000015',
      to: '0xt',
      amount_hype: '0.0000000000000015',
      cost_hype: '0.000000000000001521',
      tokens: '',
    });
    expect(read(transferLine({ ...transfer, kind: 'delivery' }, TOKEN, WALLET))).toMatchObject({
      asset: TOKEN.address,
      amount: '1.5',
      amount_hype: '0',
      cost_hype: '0.000000000000000021',
      tokens: '1.5',
    });
  });

  it('shows HYPE and tokens left or held', () => {
    expect(read(heldLine({ heldWei: '1500', heldTokens: '1500' }, 3))).toMatchObject({
      kind: 'held',
      amount_hype: '0.0000000000000015',
      tokens: '1.5',
      transaction_hash: '',
    });
    expect(heldLine({ heldWei: '0', heldTokens: '0' }, 3)).toBe('');
    expect(read(heldLine({ heldWei: '1' }, 3))).toMatchObject({ tokens: '' });
  });

  it('shows each pause with reason and times', () => {
    const pause = { reason: 'price_band', since: '2026-01-01T00:00:00.000Z' } as const;
    expect(read(pauseLine({ ...pause, until: '2026-01-01T00:05:00.000Z' }))).toMatchObject({
      kind: 'pause',
      since: '2026-01-01T00:00:00.000Z',
      until: '2026-01-01T00:05:00.000Z',
      reason: 'price_band',
    });
    expect(read(pauseLine(pause))).toMatchObject({ until: '' });
  });

  it('writes one line for each known quality figure', () => {
    const quality = {
      arrivalPriceX96: `${199_000_000n * 2n ** 96n}`,
      averagePriceX96: `${201_000_000n * 2n ** 96n}`,
      slippageBps: 3,
      priceImpactBps: 40,
      shortfall: {
        totalWei: `${parseHype('0.1')}`,
        impactWei: '7',
        driftWei: `-${parseHype('0.002')}`,
        poolFeeWei: '0',
        gasWei: '1',
        serviceFeeWei: `${parseHype('0.15')}`,
      },
      shortfallBps: 9000,
      againstTwapBps: -12,
    };
    const lines = qualityLines(quality, 6).map(read);
    expect(new Set(lines.map(({ kind }) => kind))).toEqual(new Set(['quality']));
    expect(Object.fromEntries(lines.map(({ figure, value }) => [figure, value]))).toEqual({
      arrival_price_hype_per_token: '0.000199',
      average_price_hype_per_token: '0.000201',
      slippage_to_quote_bps: '3',
      price_impact_bps: '40',
      shortfall_hype: '0.1',
      shortfall_bps: '9000',
      shortfall_impact_hype: '0.000000000000000007',
      shortfall_drift_hype: '-0.002',
      shortfall_pool_fee_hype: '0',
      shortfall_gas_hype: '0.000000000000000001',
      shortfall_service_fee_hype: '0.15',
      against_twap_bps: '-12',
    });
  });

  it('prints every amount to the last digit', () => {
    const wei = fc.bigInt({ min: 0n, max: 2n ** 200n });
    fc.assert(
      fc.property(wei, wei, wei, fc.integer({ min: 0, max: 36 }), (tradeWei, gasWei, tokensBought, decimals) => {
        const amounts = { tradeWei: `${tradeWei}`, gasWei: `${gasWei}`, tokensBought: `${tokensBought}` };
        const line = read(orderLine({ ...order, ...amounts }, decimals, WALLET));
        expect(parseHype(line.amount_hype ?? '')).toBe(tradeWei);
        expect(parseHype(line.gas_hype ?? '')).toBe(gasWei);
        expect(parseHype(line.cost_hype ?? '')).toBe(tradeWei + gasWei);
        const [whole = '', fraction = ''] = (line.tokens ?? '').split('.');
        expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(tokensBought);
      }),
    );
  });

  it('prints amounts of a token without decimals', () => {
    expect(read(orderLine(order, 0, WALLET))).toMatchObject({ tokens: '1500000' });
  });
});
