import { VENUES } from '@maker/local-stack';
import { parseHype } from '@maker/rules';
import type { Address, Hash } from 'viem';
import { describe, expect, it } from 'vitest';
import { type Evidence, violationsOf } from './violations.ts';
import type { SentTransaction } from './wallet-facts.ts';

const address = (digit: string) => `0x${digit.repeat(40)}` as Address;
const hash = (digit: string) => `0x${digit.repeat(64)}` as Hash;

const TREASURY = address('1');
const PAYER = address('2');
const TOKEN = address('3');
const ROUTER = address('4');
const ROUTERS = Object.fromEntries(VENUES.map(({ router }) => [router, ROUTER]));
const DEADLINE = new Date('2026-11-21T12:00:00Z');
/** 0.1435 × 0.7 − 0.1 pays for one order. */
const PAID = parseHype('0.1435');
const FEE = parseHype('0.04305');
const GAS = 21_000_000_000_000n;
const TRADE = parseHype('0.00035');
const LATE = parseHype('0.02');
const REST = PAID - FEE - TRADE - 4n * GAS;

const sent = (nonce: number, to: Address, movedWei: bigint, more: Partial<SentTransaction> = {}): SentTransaction => ({
  hash: hash(String(nonce)),
  nonce,
  to,
  movedWei,
  succeeded: true,
  gasWei: GAS,
  tokensIn: 0n,
  tokensOut: 0n,
  tokenRecipients: [],
  ...more,
});

/** A job that was paid, executed and returned, with a late deposit that was returned separately. */
function inOrder(): Evidence {
  const transactions = [
    sent(0, TREASURY, FEE),
    sent(1, ROUTER, TRADE, { tokensIn: 77n }),
    sent(2, TOKEN, 0n, { tokensOut: 77n, tokenRecipients: [PAYER] }),
    sent(3, PAYER, REST),
    sent(4, PAYER, LATE - GAS),
  ];
  const purposes = ['fee', 'order', 'delivery', 'return', 'return'] as const;
  const entry = (kind: string, amountWei: bigint) => ({ _id: kind, kind, amountWei: String(amountWei) });
  const ledger = [
    entry('deposit', PAID),
    entry('surplus', LATE),
    entry('fee', FEE),
    entry('order', TRADE),
    entry('order_gas', GAS),
    entry('gas', 4n * GAS),
    entry('returned', REST + LATE - GAS),
    entry('bought', 77n),
    entry('delivered', 77n),
  ];
  const payment = (digit: string, valueWei: bigint, blockAtMs: number) => ({
    hash: hash(digit),
    from: PAYER,
    valueWei,
    blockAtMs,
  });
  return {
    stack: { treasury: TREASURY, contracts: { ...ROUTERS, whype: address('5') } as never },
    facts: {
      transfersIn: [payment('a', PAID, DEADLINE.getTime()), payment('b', LATE, DEADLINE.getTime() + 1)],
      sent: transactions,
      balanceWei: 0n,
      tokenBalance: 0n,
      minedNonces: 5,
      pendingNonces: 5,
    },
    records: {
      job: {
        _id: 'job',
        status: 'completed',
        paymentAddress: address('6'),
        tokenAddress: TOKEN,
        paymentAmountWei: String(PAID),
        paymentDeadlineAt: DEADLINE,
        returnAddress: PAYER,
      },
      deposits: [
        { _id: 'a', amountWei: String(PAID), transactionHash: hash('a'), claimedBy: 'job' },
        { _id: 'b', amountWei: String(LATE), transactionHash: hash('b'), claimedBy: 'return' },
      ],
      returns: [
        {
          _id: 'return',
          status: 'returned',
          amountWei: String(LATE),
          returnedWei: String(LATE - GAS),
          to: PAYER,
          transactionHash: hash('4'),
        },
      ],
      seenDeposits: [],
      execution: {
        _id: 'job',
        phase: 'completed',
        attention: false,
        refunding: null,
        depositWei: String(PAID),
        driftWei: '0',
        heldReason: null,
        totals: Object.fromEntries(ledger.map(({ kind, amountWei }) => [`${kind}Wei`, amountWei])),
      },
      transactions: transactions.map(({ nonce, hash: mined }) => ({
        _id: `${nonce}`,
        purpose: purposes[nonce] ?? 'order',
        state: 'final',
        nonce,
        attempts: [{ hash: mined }],
        inclusion: { hash: mined, succeeded: true },
      })),
      refunds: [{ _id: 'return', state: 'returned' }],
      ledger,
    },
  };
}

/** The evidence with one change. */
function but(change: (evidence: Mutable<Evidence>) => void): Evidence {
  const evidence = structuredClone(inOrder()) as Mutable<Evidence>;
  change(evidence);
  return evidence as Evidence;
}

type Mutable<Value> = Value extends bigint | string | number | Date
  ? Value
  : { -readonly [Key in keyof Value]: Mutable<Value[Key]> };

describe('the checks after every fault', () => {
  it('find nothing in an exact job', () => {
    expect(violationsOf(inOrder())).toEqual([]);
  });

  it('accept a deposit during the return', () => {
    const late = but(({ records }) => {
      records.refunds[0] = { _id: 'return', state: 'with_the_rest' };
    });
    expect(violationsOf(late)).toEqual([]);
  });

  it.each<[string, (evidence: Mutable<Evidence>) => void, RegExp]>([
    [
      'a job whose status does not match its payment',
      (e) => Object.assign(e.records.job ?? {}, { status: 'failed_technical' }),
      /must be completed/,
    ],
    ['a fee paid twice', (e) => e.facts.sent.push(sent(5, TREASURY, FEE) as never), /fee must be 0.04305 once/],
    [
      'a fee of another sum',
      (e) => Object.assign(e.facts.sent[0] ?? {}, { movedWei: FEE + 1n }),
      /fee must be 0.04305 once/,
    ],
    [
      'a return sent twice',
      (e) => e.facts.sent.push(sent(5, PAYER, LATE - GAS) as never),
      /transfers returned the rest/,
    ],
    ['a return that is not on the chain', (e) => e.facts.sent.pop(), /no successful transfer/],
    ['a return of another sum', (e) => Object.assign(e.records.returns[0] ?? {}, { amountWei: '1' }), /took/],
    ['money to a stranger', (e) => Object.assign(e.facts.sent[3] ?? {}, { to: address('9') }), /no known recipient/],
    ['a gap in the nonces', (e) => e.records.transactions.splice(1, 1), /have a gap/],
    ['a transaction in the mempool', (e) => Object.assign(e.facts, { pendingNonces: 6 }), /still in the mempool/],
    ['other bytes mined than recorded', (e) => Object.assign(e.facts.sent[1] ?? {}, { hash: hash('f') }), /was mined/],
    ['a wei more in the wallet than in the book', (e) => Object.assign(e.facts, { balanceWei: 1n }), /wei came/],
    ['a row of the ledger lost', (e) => e.records.ledger.splice(3, 1), /orders: the ledger says 0 wei/],
    [
      'a sum that its rows do not give',
      (e) => Object.assign(e.records.execution?.totals ?? {}, { feeWei: '1' }),
      /sum of fee/,
    ],
    ['tokens that stayed behind', (e) => Object.assign(e.facts, { tokenBalance: 1n }), /stayed in the wallet/],
    [
      'tokens for a stranger',
      (e) => Object.assign(e.facts.sent[2] ?? {}, { tokenRecipients: [ROUTER] }),
      /tokens went to/,
    ],
    [
      'an order out of its price range',
      (e) => Object.assign(e.facts.sent[1] ?? {}, { movedWei: 1n }),
      /out of 0.0003 to 0.0005/,
    ],
    ['a deposit that is for nothing', (e) => delete e.records.deposits[1]?.claimedBy, /neither pays/],
    ['a deposit that was never credited', (e) => e.records.deposits.pop(), /wei came, and 1435\d+ were credited/],
    ['a wallet that drifts', (e) => Object.assign(e.records.execution ?? {}, { driftWei: '-1' }), /drifts/],
  ])('finds %s', (_, change, complaint) => {
    expect(violationsOf(but(change)).join('\n')).toMatch(complaint);
  });
});
