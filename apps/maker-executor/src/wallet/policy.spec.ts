import { erc20Abi, GAS_LIMIT_CAP } from '@maker/chain';
import { beginAttempts, type Execution, type TransactionPurpose } from '@maker/execution-records';
import { startedExecution, TRUST, WALLET } from '@maker/execution-records/testing';
import { FEE_CAP_WEI, GAS_GUARDRAIL_WEI, LARGEST_ORDER_WEI } from '@maker/rules';
import type { UnsignedTransaction } from '@maker/signing/private';
import { type Address, encodeFunctionData } from 'viem';
import { describe, expect, it } from 'vitest';
import { assertMaySign } from './policy.ts';

const PAYER = '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC';
const TREASURY = '0x90F79bf6EB2c4f870365E785982E1f101E93b906';
const ROUTER = '0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65';
const TOKEN = '0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc';
const STRANGER = '0x976EA74026E726554dB657fA54763abd0C3a0aa9';
const FOREIGN = '0x14dC79964da2C08b23698B3D3cc7Ca32193d9955';
const limits = { chainId: 31337, trust: TRUST, treasury: TREASURY, routers: [ROUTER] } as const;

const started = startedExecution({
  tokenAddress: TOKEN,
  depositWei: 500_000_000_000_000_000n,
  returnAddress: PAYER,
});

const plain: UnsignedTransaction = {
  chainId: 31337,
  nonce: 0,
  to: TREASURY,
  valueWei: 150_000_000_000_000_000n,
  data: '0x',
  gas: 21_000n,
  maxFeePerGasWei: 1_000_000_000n,
  maxPriorityFeePerGasWei: 0n,
};

const swapData = `0x7ff36ab5${WALLET.slice(2).padStart(64, '0')}${TOKEN.slice(2).padStart(64, '0')}` as const;
const transferTo = (to: Address) => encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, 5n] });

/** Pays for the refund below, and for its gas at exactly the caps. */
const REFUND_WEI = 10n ** 18n;
const refunding = { id: 'r', to: STRANGER, amountWei: REFUND_WEI, attempts: beginAttempts(0) } as const;

interface Allowed {
  readonly transaction: UnsignedTransaction;
  readonly phase: Execution['phase'];
  readonly execution?: Partial<Execution>;
}

const allowed: Record<TransactionPurpose, Allowed> = {
  fee: { phase: 'fee', transaction: plain },
  order: {
    phase: 'trading',
    transaction: { ...plain, to: ROUTER, valueWei: 300_000_000_000_000n, data: swapData, gas: 190_000n },
  },
  delivery: { phase: 'delivery', transaction: { ...plain, to: TOKEN, valueWei: 0n, data: transferTo(PAYER) } },
  refund: { phase: 'never_ran', transaction: { ...plain, to: STRANGER, valueWei: 77n }, execution: { refunding } },
  return: { phase: 'return', transaction: { ...plain, to: PAYER, valueWei: 77n } },
};

function sign(
  purpose: TransactionPurpose,
  change: Partial<UnsignedTransaction> = {},
  execution: Partial<Execution> = {},
) {
  const { transaction, phase, execution: own } = allowed[purpose];
  assertMaySign(purpose, { ...transaction, ...change }, { ...started, phase, ...own, ...execution }, WALLET, limits);
}

const PURPOSES = Object.keys(allowed) as TransactionPurpose[];

describe('signing policy (design § 5)', () => {
  it.each(PURPOSES)('allows the %s of the stored job', (purpose) => {
    expect(() => sign(purpose)).not.toThrow();
  });

  it.each<[TransactionPurpose, string]>([
    ['fee', 'the recipient is not the treasury'],
    ['order', 'the recipient is no router of the registry'],
    ['delivery', 'the recipient is not the bought token'],
    ['refund', 'the recipient is not the one of the refund'],
    ['return', 'the recipient is not the agreed return address'],
  ])('refuses a foreign recipient of the %s', (purpose, rule) => {
    expect(() => sign(purpose, { to: FOREIGN })).toThrow(expect.objectContaining({ rule }));
  });

  it.each<[TransactionPurpose, Partial<UnsignedTransaction>]>([
    ['delivery', { data: transferTo(FOREIGN) }],
    ['return', { to: FOREIGN }],
  ])('refuses the %s to an address that the row names', (purpose, change) => {
    const changed = { returnAddress: FOREIGN } as const;
    expect(() => sign(purpose, change, changed)).toThrow(/agreed return address/);
    expect(() =>
      sign(purpose, change, { ...changed, payerClaim: { payer: FOREIGN, transfers: [], isProven: true } }),
    ).toThrow(/agreed return address/);
  });

  it.each(PURPOSES)('rejects wrong chain, fee and key for the %s', (purpose) => {
    expect(() => sign(purpose, { chainId: 1 })).toThrow(/chain id/);
    expect(() => sign(purpose, { maxFeePerGasWei: FEE_CAP_WEI + 1n })).toThrow(/cap/);
    expect(() => sign(purpose, { maxPriorityFeePerGasWei: 2_000_000_000n })).toThrow(/tip/);
    expect(() => sign(purpose, {}, { walletAddress: STRANGER })).toThrow(/wallet/);
  });

  it.each<[TransactionPurpose, string]>([
    ['fee', 'the fee was paid'],
    ['order', 'orders are only allowed in trading'],
    ['delivery', 'deliveries are only allowed after trading'],
    ['refund', 'refunds are only allowed at the end of the job'],
    ['return', 'the return is only allowed at the end'],
  ])('refuses the %s in another phase of the job', (purpose, rule) => {
    const phase = purpose === 'refund' ? 'delivery' : 'completed';
    expect(() => sign(purpose, {}, { phase })).toThrow(expect.objectContaining({ rule }));
  });

  it.each(PURPOSES)('allows the %s up to the caps exactly', (purpose) => {
    const feeWei = purpose === 'order' ? GAS_GUARDRAIL_WEI : FEE_CAP_WEI;
    const atCaps = { maxFeePerGasWei: feeWei, maxPriorityFeePerGasWei: feeWei, gas: BigInt(GAS_LIMIT_CAP) };
    expect(() => sign(purpose, atCaps)).not.toThrow();
    expect(() => sign(purpose, { ...atCaps, gas: atCaps.gas + 1n })).toThrow(/gas limit/);
  });

  it('names the broken rule without transaction contents', () => {
    expect(() => sign('fee', { data: '0x00' })).toThrow(
      expect.objectContaining({
        name: 'PolicyViolationError',
        code: 'POLICY_VIOLATION',
        purpose: 'fee',
        rule: 'a plain transfer carries no data',
        message: "Refused to sign a transaction for 'fee': a plain transfer carries no data",
      }),
    );
  });

  it('rejects a wrong, data-bearing or second fee', () => {
    expect(() => sign('fee', { valueWei: plain.valueWei + 1n })).toThrow(/the value is not the job's fee/);
    expect(() => sign('fee', { data: '0x00' })).toThrow(/data/);
    expect(() => sign('fee', {}, { totals: { ...started.totals, feeWei: 1n } })).toThrow(/paid/);
  });

  it('rejects orders over size, price, budget or job', () => {
    expect(() => sign('order', { valueWei: LARGEST_ORDER_WEI })).not.toThrow();
    expect(() => sign('order', { valueWei: LARGEST_ORDER_WEI + 1n })).toThrow(/sixteen/);
    expect(() => sign('order', { maxFeePerGasWei: GAS_GUARDRAIL_WEI + 1n })).toThrow(/guardrail/);
    const spent = { totals: { ...started.totals, orderWei: started.orderBudgetWei } };
    expect(() => sign('order', {}, spent)).toThrow(/budget/);
    expect(() => sign('order', { valueWei: 0n })).toThrow(/spends no HYPE/);
    const last = { totals: { ...started.totals, orderWei: started.orderBudgetWei - LARGEST_ORDER_WEI } };
    expect(() => sign('order', { valueWei: LARGEST_ORDER_WEI }, last)).not.toThrow();
    expect(() => sign('order', {}, { tokenAddress: STRANGER })).toThrow(/token/);
    expect(() => sign('order', { data: '0x7ff36ab5' })).toThrow(/wallet/);
  });

  it('matches wallet and token in any letter case', () => {
    for (const data of [swapData.toLowerCase(), `0x${swapData.slice(2).toUpperCase()}`] as `0x${string}`[])
      expect(() => sign('order', { data })).not.toThrow();
  });

  it('lets an order buy from any router of the registry', () => {
    const both = { ...limits, routers: [STRANGER, ROUTER] } as const;
    const { transaction, phase } = allowed.order;
    expect(() => assertMaySign('order', transaction, { ...started, phase }, WALLET, both)).not.toThrow();
  });

  it('rejects deliveries to others, by other calls, with HYPE', () => {
    expect(() => sign('delivery', { data: transferTo(STRANGER) })).toThrow(/return address/);
    expect(() => sign('delivery', { data: '0x095ea7b3' })).toThrow(/return address/);
    const balanceOf = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [PAYER] });
    expect(() => sign('delivery', { data: balanceOf })).toThrow(/return address/);
    expect(() => sign('delivery', { valueWei: 1n })).toThrow(/HYPE/);
    expect(() => sign('delivery', {}, { returnAddress: null })).toThrow(/return address/);
  });

  it('allows another token only when operators release it', () => {
    const other = { to: ROUTER } as const;
    expect(() => sign('delivery', other)).toThrow(/not the bought token/);
    expect(() => sign('delivery', other, { otherTokens: [ROUTER] })).not.toThrow();
  });

  it('refuses a return without a return address', () => {
    expect(() => sign('return', {}, { returnAddress: null })).toThrow(/return address/);
  });

  it('refuses a return with call data', () => {
    expect(() => sign('return', { data: '0x00' })).toThrow(/data/);
  });

  describe('a replacement at the same nonce', () => {
    const replace = (
      purpose: TransactionPurpose,
      change: Partial<UnsignedTransaction> = {},
      phase: Execution['phase'] = 'completed',
    ) => {
      const { transaction } = allowed[purpose];
      const { to, data, gas, valueWei, maxFeePerGasWei, maxPriorityFeePerGasWei } = transaction;
      const attempt = {
        hash: '0x1',
        rawTransaction: '0x02',
        valueWei,
        maxFeePerGasWei,
        maxPriorityFeePerGasWei,
      } as const;
      const replaced = { purpose, to, data, gasLimit: Number(gas), attempts: [attempt] };
      const execution = { ...started, phase };
      assertMaySign(purpose, { ...transaction, ...change }, execution, WALLET, limits, replaced);
    };

    it.each(['fee', 'delivery'] as const)('repeats the %s at other fees in any phase', (purpose) => {
      expect(() => replace(purpose, { maxFeePerGasWei: 2_000_000_000n })).not.toThrow();
      expect(() => replace(purpose, { maxFeePerGasWei: GAS_GUARDRAIL_WEI + 1n })).not.toThrow();
      expect(() => replace(purpose, { to: STRANGER })).toThrow(/recipient/);
      expect(() => replace(purpose, { data: '0x00' })).toThrow(/same data/);
      expect(() => replace(purpose, { gas: 100_000n })).toThrow(/same data/);
      expect(() => replace(purpose, { valueWei: 99n })).toThrow(/same value/);
      expect(() => replace(purpose, { maxFeePerGasWei: FEE_CAP_WEI + 1n })).toThrow(/cap/);
    });

    it.each(['return', 'refund'] as const)('takes higher gas out of a %s exactly', (purpose) => {
      const raisedFeeWei = 1_000_000_001n;
      const valueWei = 10n ** 15n;
      const less = { maxFeePerGasWei: raisedFeeWei, valueWei: 77n };
      expect(() => replace(purpose)).not.toThrow();
      expect(() => replace(purpose, less)).toThrow(/more than the first/);
      expect(() => replace(purpose, { valueWei })).toThrow(/more than the first/);
      expect(() => replace(purpose, { valueWei: 0n })).not.toThrow();
    });

    it('repeats the order within the guardrail or voids it', () => {
      const nothing = { to: WALLET, valueWei: 0n, data: '0x', gas: 21_000n } as const;
      expect(() => replace('order', nothing)).not.toThrow();
      expect(() => replace('order', { maxFeePerGasWei: GAS_GUARDRAIL_WEI })).not.toThrow();
      expect(() => replace('order', { maxFeePerGasWei: GAS_GUARDRAIL_WEI + 1n })).toThrow(/guardrail/);
      expect(() => replace('order', { valueWei: 1n })).toThrow(/same value/);
      expect(() => replace('order', { ...nothing, valueWei: 1n })).toThrow(/must be empty/);
      expect(() => replace('order', { ...nothing, to: STRANGER })).toThrow(/own wallet/);
      expect(() => replace('order', { ...nothing, data: '0x00' })).toThrow(/must be empty/);
      expect(() => replace('order', { to: STRANGER })).toThrow(/recipient/);
    });

    it('needs an earlier attempt', () => {
      const { to, data, gas } = plain;
      const never = { purpose: 'fee', to, data, gasLimit: Number(gas), attempts: [] } as const;
      expect(() => assertMaySign('fee', plain, started, WALLET, limits, never)).toThrow(/nothing to replace/);
    });
  });

  describe('the refund of a deposit that pays for no order (design § 4)', () => {
    const exactly = { ...refunding, amountWei: 77n + 21_000n * 1_000_000_000n };
    const refund = (change: Partial<UnsignedTransaction> = {}, execution: Partial<Execution> = {}) =>
      sign('refund', change, { refunding: exactly, ...execution });

    it('goes to its recipient while no orders run', () => {
      expect(() => refund()).not.toThrow();
      expect(() => refund({ to: PAYER })).toThrow(/recipient/);
      expect(() => refund({}, { phase: 'trading' })).toThrow(/end/);
      expect(() => refund({ data: '0x00' })).toThrow(/data/);
    });

    it.each(['return', 'completed', 'failed', 'never_ran'] as const)('may go in the phase %s', (phase) => {
      expect(() => refund({}, { phase })).not.toThrow();
    });

    it('takes no more than came, gas included', () => {
      expect(() => refund({ valueWei: 78n })).toThrow(/more than came/);
    });

    it('needs a refund that is being sent', () => {
      expect(() => refund({}, { refunding: null })).toThrow(/no refund is being sent/);
    });
  });

  it('rejects the return while a refund is sent', () => {
    expect(() => sign('return', {}, { refunding })).toThrow(/a refund is being sent/);
    expect(() => sign('return', { to: STRANGER }, { refunding })).toThrow(
      expect.objectContaining({ purpose: 'return' }),
    );
  });
});
