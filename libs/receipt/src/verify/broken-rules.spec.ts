import { parseHype } from '@maker/rules';
import { encodeFunctionData, parseAbi } from 'viem';
import { describe, expect, it } from 'vitest';
import type { ChainFacts } from '../chain/chain-facts.ts';
import type { SignedReceipt } from '../file/receipt-file.ts';
import {
  buyCall,
  honestReceipt,
  PAYER,
  STRANGER,
  signedBy,
  TREASURY,
  transferLog,
  WALLET,
  WALLET_KEY,
  withTransaction,
} from '../honest-receipt.fixture.ts';
import { type Finding, openReceipt, verifyReceipt } from './verify-receipt.ts';

const honest = honestReceipt(12);
const { receipt, facts } = honest;
const [firstOrder] = receipt.orders;
const erc20 = parseAbi([
  'function transfer(address to, uint256 amount)',
  'function approve(address spender, uint256 amount)',
]);

/** The first broken rule of a receipt that the job's wallet signed. */
async function judged(change: Partial<SignedReceipt>, chain: ChainFacts = facts): Promise<Finding | undefined> {
  const opened = await openReceipt(await signedBy(WALLET_KEY, { ...receipt, ...change }));
  return 'broken' in opened ? opened.broken : verifyReceipt(opened.file, chain).broken;
}

function hashOf(kind: 'fee' | 'delivery' | 'return' | 'refund') {
  const transfer = receipt.transfers.find((candidate) => candidate.kind === kind);
  if (!transfer) throw new Error(`no ${kind}`);
  return transfer.transactionHash;
}

const orderHash = firstOrder?.transactionHash ?? '0x';

describe('the verifier finds a broken rule in a signed receipt', () => {
  it.each<[string, string, string, Partial<SignedReceipt>, ChainFacts]>([
    [
      'another wallet of the service pays for the job (design § 2.1)',
      'money_in',
      `came from ${STRANGER}, not from ${PAYER}`,
      {},
      payment({ from: STRANGER }),
    ],
    [
      'the treasury pays for the job (design § 2.1)',
      'money_in',
      'The treasury',
      { payer: TREASURY, deposits: depositsFrom(TREASURY) },
      payment({ from: TREASURY }),
    ],
    [
      'the wallet funds another wallet without listing it (design § 2.1)',
      'wallet',
      'explains only',
      {},
      { ...facts, wallet: { ...facts.wallet, nonce: facts.wallet.nonce + 1 } },
    ],
    [
      'the wallet funds another wallet and calls it a refund (design § 2.1)',
      'returns',
      'which is owed nothing',
      { transfers: transfersTo('refund', `0x${'99'.repeat(20)}`) },
      withTransaction(honest, hashOf('refund'), { to: `0x${'99'.repeat(20)}` }),
    ],
    [
      'an order sells what was bought (design § 2.2)',
      'only_buys',
      'moved tokens out of the wallet',
      {},
      order({ logs: [...logsOfOrder(), transferLog(WALLET, STRANGER, 1n)] }),
    ],
    [
      'an order prepares a sale (design § 2.2)',
      'only_buys',
      'not a purchase of a token',
      {},
      order({ input: encodeFunctionData({ abi: erc20, functionName: 'approve', args: [STRANGER, 1n] }) }),
    ],
    [
      'an order buys for another recipient (design § 2.2)',
      'only_buys',
      'sends what it buys to',
      {},
      order({ input: buyCall({ recipient: STRANGER }) }),
    ],
    [
      'an order buys from another wallet and not from a pool (design § 2.2)',
      'only_buys',
      'no such pool has an event of the trade',
      {},
      order({ logs: logsOfOrder().slice(1) }),
    ],
    [
      'an order lists the amount that a token overstates (design § 2.6)',
      'only_buys',
      'Order 1 brought',
      { orders: ordersWith({ receivedTokens: `${2n ** 200n}` }) },
      order({ logs: [transferLog(`0x${'e2'.repeat(20)}`, WALLET, 2n ** 200n), ...logsOfOrder()] }),
    ],
    [
      'an order accepts more slippage than was published (design § 2.2)',
      'only_buys',
      'does not follow from its quote',
      { orders: ordersWith({ minimumTokens: '1' }) },
      order({ input: buyCall({ minimum: 1n }) }),
    ],
    [
      'an order stays valid for an hour (design § 4a)',
      'only_buys',
      'was valid for longer than 120 seconds',
      {},
      order({ input: buyCall({ deadline: 9_999_999_999n }) }),
    ],
    [
      'orders come in a burst (design § 2.3)',
      'schedule',
      'ahead of the schedule',
      { rules: { ...receipt.rules, slotMs: 600_000 } },
      facts,
    ],
    [
      'an order comes after trading had to end (design § 4 End)',
      'schedule',
      'trading had to end at',
      { rules: { ...receipt.rules, tradingEndsAt: '2027-01-15T08:05:00.000Z' } },
      facts,
    ],
    [
      'an order is placed above the band (design § 2.4)',
      'price_band',
      'above the reference price of the band',
      { rules: { ...receipt.rules, seenPriceX96: `${BigInt(receipt.rules.seenPriceX96 ?? 0) / 2n}` } },
      facts,
    ],
    [
      'an order is placed in a pause (design § 4)',
      'pauses',
      'was mined in the pause',
      { pauses: [{ reason: 'operator', from: '2027-01-15T08:00:00.000Z', to: '2027-01-15T12:00:00.000Z' }] },
      facts,
    ],
    [
      'the bought tokens are delivered elsewhere (design § 2.2)',
      'delivery',
      'neither the payer nor the return address',
      { transfers: transfersTo('delivery', STRANGER) },
      withTransaction(honest, hashOf('delivery'), {
        input: encodeFunctionData({ abi: erc20, functionName: 'transfer', args: [STRANGER, 1n] }),
        logs: [transferLog(WALLET, STRANGER, BigInt(receipt.sums.deliveredTokens))],
      }),
    ],
    [
      'the rest goes elsewhere (design § 4 Return address)',
      'returns',
      'which is owed nothing',
      { transfers: transfersTo('return', STRANGER) },
      withTransaction(honest, hashOf('return'), { to: STRANGER }),
    ],
    [
      'the fee is more than 30 % (design § 4 Fee)',
      'fee',
      '30 % of 0.25 HYPE is 0.075 HYPE',
      {
        transfers: receipt.transfers.map((one) =>
          one.kind === 'fee' ? { ...one, amount: `${parseHype('0.08')}` } : one,
        ),
      },
      withTransaction(honest, hashOf('fee'), { valueWei: parseHype('0.08') }),
    ],
    [
      'the tokens are delivered after the latest end (design § 4 End)',
      'ending',
      'after the latest end',
      { rules: { ...receipt.rules, latestEndAt: '2027-01-15T09:00:00.000Z' } },
      facts,
    ],
    [
      'a stranger takes tokens by an allowance (design § 2.2)',
      'balance',
      'which it did not send',
      {
        transfers: receipt.transfers.map((one) =>
          one.kind === 'delivery' ? { ...one, succeeded: false, amount: '0' } : one,
        ),
        sums: { ...receipt.sums, deliveredTokens: '0' },
        heldReason: 'the token reverted its delivery',
      },
      afterTheft(),
    ],
  ])('%s', async (_what, rule, sentence, change, chain) => {
    const broken = await judged(change, chain);
    expect(broken?.problem).toContain(sentence);
    expect(broken?.rule).toBe(rule);
  });

  it('names the chain where the endpoint is of another', async () => {
    expect((await judged({}, { ...facts, chainId: 998 }))?.problem).toBe(
      'The receipt is of chain 999, but the endpoint is of chain 998.',
    );
  });

  it('accepts a purchase that the token overstates', async () => {
    const overstated = transferLog(`0x${'e2'.repeat(20)}`, WALLET, 2n ** 256n - 1n);
    expect(await judged({}, order({ logs: [overstated, ...logsOfOrder()] }))).toBeUndefined();
  });

  it('accepts and reports vanished tokens', async () => {
    const half = BigInt(receipt.sums.boughtTokens) / 2n;
    const { change, chain } = delivering(half);
    const own = { transactionHash: hashOf('delivery'), amount: half };
    const file = await signedBy(WALLET_KEY, { ...receipt, ...change });
    const verdict = verifyReceipt(file, { ...chain, wallet: { ...chain.wallet, movedOut: [own] } });
    expect(verdict.broken).toBeUndefined();
    expect(verdict.unknown.join()).toContain('The token kept or took them itself');
  });

  it('finds unexplained tokens beyond rounding', async () => {
    const bought = BigInt(receipt.sums.boughtTokens);
    const found = (kept: bigint) => {
      const { change, chain } = delivering(bought - kept);
      return judged(change, { ...chain, wallet: { ...chain.wallet, tokens: kept } });
    };
    expect((await found(bought / 100n))?.problem).toContain('the receipt gives no reason');
    expect(await found(1n)).toBeUndefined();
  });

  it('accepts an order without token events', async () => {
    const logs = logsOfOrder().slice(0, 1);
    const orders = ordersWith({ receivedTokens: '0', priceX96: null });
    const lost = BigInt(firstOrder?.receivedTokens ?? 0);
    const change = {
      orders,
      ending: {
        kind: 'technical' as const,
        message: 'the token keeps a part of what it moves',
        at: receipt.ending?.at ?? '',
      },
      sums: { ...receipt.sums, boughtTokens: `${BigInt(receipt.sums.boughtTokens) - lost}` },
    };
    expect(await judged(change, order({ logs }))).toBeUndefined();
  });

  it('accepts strangers’ later money as unknown', async () => {
    const file = await signedBy(WALLET_KEY, receipt);
    const verdict = verifyReceipt(file, { ...facts, wallet: { ...facts.wallet, balanceWei: 7n } });
    expect(verdict.broken).toBeUndefined();
    expect(verdict.unknown.join()).toContain('Where 0.000000000000000007 HYPE came from');
  });
});

/** A delivery of an amount, on the chain and in the receipt. */
function delivering(amount: bigint): { readonly change: Partial<SignedReceipt>; readonly chain: ChainFacts } {
  const deliveredTokens = `${amount}`;
  return {
    change: {
      transfers: receipt.transfers.map((one) => (one.kind === 'delivery' ? { ...one, amount: deliveredTokens } : one)),
      sums: { ...receipt.sums, deliveredTokens },
    },
    chain: withTransaction(honest, hashOf('delivery'), { logs: [transferLog(WALLET, PAYER, amount)] }),
  };
}

/** The delivery fails, and a stranger's transaction takes the tokens. */
function afterTheft(): ChainFacts {
  const chain = withTransaction(honest, hashOf('delivery'), { succeeded: false, logs: [] });
  const movedOut = [{ transactionHash: `0x${'7'.repeat(64)}` as const, amount: BigInt(receipt.sums.boughtTokens) }];
  return { ...chain, wallet: { ...chain.wallet, movedOut } };
}

function payment(change: Partial<Parameters<typeof withTransaction>[2]>): ChainFacts {
  const [deposit] = receipt.deposits;
  const from = change.from ?? PAYER;
  return withTransaction(honest, deposit?.transactionHash ?? '0x', { ...change, from });
}

function depositsFrom(from: SignedReceipt['wallet']): SignedReceipt['deposits'] {
  return receipt.deposits.map((deposit) => (deposit.pays ? { ...deposit, from } : deposit));
}

function order(change: Parameters<typeof withTransaction>[2]): ChainFacts {
  return withTransaction(honest, orderHash, change);
}

function logsOfOrder() {
  return facts.transactions.get(orderHash)?.logs ?? [];
}

function ordersWith(change: Partial<SignedReceipt['orders'][number]>): SignedReceipt['orders'] {
  return receipt.orders.map((one) => (one.number === 1 ? { ...one, ...change } : one));
}

function transfersTo(kind: string, to: SignedReceipt['wallet']): SignedReceipt['transfers'] {
  return receipt.transfers.map((transfer) => (transfer.kind === kind ? { ...transfer, to } : transfer));
}
