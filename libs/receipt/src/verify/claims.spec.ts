import { parseHype } from '@maker/rules';
import { describe, expect, it } from 'vitest';
import type { ChainFacts } from '../chain/chain-facts.ts';
import type { SignedReceipt } from '../file/receipt-file.ts';
import { ACCOMPLICE, honestReceipt, PAYER, STRANGER, TREASURY } from '../honest-receipt.fixture.ts';
import { CLAIMS } from './claims.ts';
import { Evidence } from './evidence.ts';
import { verifyReceipt } from './verify-receipt.ts';
import { wideLimits } from './wide-limits.ts';

const { receipt, facts } = honestReceipt(8);
const treasury = `Whether ${TREASURY}, to which the fee of 0.075 HYPE went, is the treasury of the service.`;

function evidenceOf(change: Partial<SignedReceipt>, wallet: Partial<ChainFacts['wallet']> = {}): Evidence {
  return new Evidence({ ...receipt, agreement: null, ...change }, { ...facts, wallet: { ...facts.wallet, ...wallet } });
}
/** The sentences of one part of the table. */
const sentences = (part: 'open' | 'said', evidence: Evidence) =>
  Object.values(CLAIMS).flatMap((claim) => [...(claim[part]?.(evidence) ?? [])]);
const points = (change: Partial<SignedReceipt> = {}, wallet: Partial<ChainFacts['wallet']> = {}) => [
  ...sentences('open', evidenceOf(change, wallet)),
];
const rulesWith = (change: Partial<SignedReceipt['rules']>) => ({ rules: { ...receipt.rules, ...change } });
const sumsWith = (change: Partial<SignedReceipt['sums']>) => ({ sums: { ...receipt.sums, ...change } });
const transfersWith = (kind: string, to: typeof PAYER) => ({
  transfers: receipt.transfers.map((one) => (one.kind === kind ? { ...one, to } : one)),
});
const bought = BigInt(receipt.sums.boughtTokens);

describe('open points', () => {
  it('of a job without an agreement', () => {
    expect(points()).toEqual([
      treasury,
      expect.stringMatching(/^Whether another pool was cheaper: prices were not checked/),
      'Whether you saw this price: compare 0.00000001001001001 HYPE for a token, the highest price of an order, with the price on your own page.',
    ]);
  });

  it.each<[string, Partial<SignedReceipt>, Partial<ChainFacts['wallet']>]>([
    [
      `Whether the payer named ${STRANGER} as the return address: it received 239760 tokens and 0 HYPE.`,
      { returnAddress: STRANGER, ...transfersWith('delivery', STRANGER) },
      {},
    ],
    [
      `Whether ${ACCOMPLICE} belongs to the payer: it received 0 tokens and 0.`,
      { releasedAt: '2027-01-18T00:00:00.000Z', ...transfersWith('return', ACCOMPLICE) },
      {},
    ],
    ['Whether a slippage limit was published as 1.01 %', rulesWith({ slippageBps: 101 }), {}],
    ['Whether a price band was published as 10.01 %', rulesWith({ bandBps: 1001 }), {}],
    [
      'Whether a schedule was published as one order every 400 s',
      rulesWith({
        slotMs: 400_000,
        tradingEndsAt: '2027-01-17T00:00:00.000Z',
        latestEndAt: '2027-01-17T01:00:00.000Z',
      }),
      {},
    ],
    ['Whether trading was to end as late as 2028', rulesWith({ tradingEndsAt: '2028-01-01T00:00:00.000Z' }), {}],
    ['Whether the job was to end as late as 2028', rulesWith({ latestEndAt: '2028-01-01T00:00:00.000Z' }), {}],
    ['When trading had to end', rulesWith({ tradingEndsAt: null }), {}],
    ['When the job had to end', rulesWith({ latestEndAt: null }), {}],
    [
      'Why 0.01 HYPE from 0xbbbb',
      { transfers: receipt.transfers.filter(({ kind }) => kind !== 'refund') },
      { nonce: 11 },
    ],
    [
      'Whether 1 HYPE had to stay in the wallet',
      sumsWith({ leftWei: `${parseHype('1')}` }),
      { balanceWei: parseHype('1') },
    ],
    [
      'Whether 239760 tokens had to stay in the wallet',
      { heldReason: 'the token reverts', ...sumsWith({ deliveredTokens: '0' }) },
      { tokens: bought },
    ],
    ['What the wallet did after this interim receipt: 1 more transactions', {}, { nonce: facts.wallet.nonce + 1 }],
    ["Whether the amounts have any value: chain 998 is not HyperEVM's mainnet.", { chainId: 998 }, {}],
    ['How the job ends', { state: 'interim', ending: null }, {}],
    ['Where 0.000000000000000001 HYPE came from', {}, { balanceWei: 1n }],
    ['How many tokens the wallet holds', {}, { tokens: null }],
    ['Where 1 tokens are: they were bought', sumsWith({ deliveredTokens: `${bought - 10n ** 18n}` }), {}],
    ['Where 1 tokens came from: they were delivered', sumsWith({ deliveredTokens: `${bought + 10n ** 18n}` }), {}],
  ])('add: %s', (sentence, change, wallet) => {
    const usual = points();
    const all = points(change, wallet).filter((one) => !usual.includes(one));
    expect(all).toEqual([expect.stringContaining(sentence)]);
  });

  it('sums untraced money by sender', () => {
    const deposits = receipt.deposits.map((one) => ({ ...one, kind: 'untraced' as const }));
    expect(points({ deposits }).join('\n')).toContain('Who sent 0.26 HYPE: the receipt names no transaction');
    expect(sentences('said', evidenceOf({ deposits })).join('\n')).toContain(
      '0.26 HYPE came without a plain transfer: from a contract or from HyperCore.',
    );
  });

  it('names the decimals of a token that does not answer', () => {
    const silent = new Evidence(receipt, { ...facts, tokenDecimals: null });
    expect(sentences('open', silent).join('\n')).toContain('How many decimals the token has');
  });

  it('needs no return address for its payer', () => {
    expect(points({ returnAddress: null }).join()).not.toContain('return address');
    expect(points({ payer: null }).join()).toContain(`Whether the payer named ${PAYER}`);
  });
});

describe('limits that are wider than the rules', () => {
  const wide = (change: Partial<SignedReceipt>) => [...wideLimits(evidenceOf(change))];

  it('are listed with the limits of the rules', () => {
    expect(wide(rulesWith({ slippageBps: 300, bandBps: 2000 }))).toEqual([
      'Whether a slippage limit was published as 3 % before you paid: version 1 of the rules has 1 % at most.',
      'Whether a price band was published as 20 % before you paid: version 1 of the rules has 10 % at most.',
    ]);
    // A day has 187.5 slots.
    expect(
      wide(
        rulesWith({
          slotMs: 460_799,
          tradingEndsAt: '2027-01-17T00:00:00.000Z',
          latestEndAt: '2027-01-17T01:00:00.000Z',
        }),
      ),
    ).toEqual([]);
    expect(
      wide(
        rulesWith({
          slotMs: 460_798,
          tradingEndsAt: '2027-01-17T00:00:00.000Z',
          latestEndAt: '2027-01-17T01:00:00.000Z',
        }),
      ),
    ).toEqual([
      'Whether a schedule was published as one order every 460.8 s before you paid: version 1 of the rules has one every 460.8 s at most.',
    ]);
  });

  it('of time are measured from the fee', () => {
    const latestMs = 1_800_000_000_000 + 187.5 * 462_000 + 86_400_000 + 60_000;
    const [fee, ...more] = receipt.transfers;
    const last = more.at(-1);
    if (!fee || !last) throw new Error('transfers');
    const failed = { ...fee, succeeded: false, transactionHash: last.transactionHash };
    const ending = (ms: number) => ({
      transfers: [...more, failed, fee],
      ...rulesWith({
        tradingEndsAt: new Date(latestMs + ms).toISOString(),
        latestEndAt: new Date(latestMs + ms).toISOString(),
      }),
    });
    expect(wide(ending(0))).toEqual([]);
    expect(wide(ending(1))).toEqual([expect.stringContaining('Whether trading was to end as late as')]);
    expect(wide({ transfers: more, ...rulesWith({ tradingEndsAt: null }) })).toEqual([]);
  });
});

describe('the table', () => {
  it('has the published names of its checks, in order', () => {
    const checked = Object.entries(CLAIMS).filter(([, { check }]) => check);
    expect(checked.map(([name]) => name).join(' ')).toBe(
      'rules chain wallet service money_in fee only_buys best_price gas_price schedule price_band pauses delivery returns sums purpose ending balance agreement',
    );
  });

  it('repeats claims without a check only as the service’s', () => {
    const change = { returnAddress: STRANGER, heldReason: 'no gas', releasedAt: '2027-01-18T00:00:00.000Z' };
    for (const agreement of [receipt.agreement, null]) {
      const told = { ...receipt, ...change, agreement };
      const { asserted, cautions, proven, service, unknown } = verifyReceipt({ receipt: told, signature: '0x' }, facts);
      expect(asserted.length).toBeGreaterThan(4);
      for (const sentence of asserted) expect(sentence).toMatch(/^The service says that /);
      for (const sentence of unknown) expect(sentence).toMatch(/^(How|What|When|Where|Whether|Who|Why) /);
      expect([...cautions, ...proven, ...unknown, service].join('\n')).not.toMatch(/service says/i);
    }
  });
});

describe('statements of the service', () => {
  it('show values', () => {
    const change = {
      returnAddress: STRANGER,
      heldReason: 'no gas',
      releasedAt: '2027-01-18T00:00:00.000Z',
    };
    expect(sentences('said', evidenceOf(change))).toEqual([
      "this is job 'job_00000000000000000000000000000000', and that the token is called 'DEMO'.",
      'it published one standard order every 462000 ms, an end of trading at 2027-01-17T08:03:45.000Z, a latest end at 2027-01-17T09:03:45.000Z, a price band of 10 % and a slippage limit of 1 %.',
      expect.stringMatching(/^you saw 0\.000000009999999999 HYPE for a token before you paid/),
      `${STRANGER} is the return address.`,
      expect.stringMatching(/^exchanges quoted 320000 tokens in total for orders of 0\.0032 HYPE/),
      "the job paused from 2027-01-16T09:00:00.000Z to 2027-01-16T09:30:00.000Z: 'gas_guardrail'. No order was mined in the pause, except in its first three minutes.",
      expect.stringMatching(/^the job ended at .* \('cancelled'\): 'the job was cancelled'\.$/),
      "HYPE or tokens stay in the wallet for this reason: 'no gas'.",
      'operators released held money at 2027-01-18T00:00:00.000Z.',
    ]);
  });

  it('stay on one line inside their quotation marks', () => {
    const ending = receipt.ending && { ...receipt.ending, message: "done'.\n✓ Audited\u001b[2K\u202e" };
    const text = sentences('said', evidenceOf({ ending })).join('\n');
    expect(text).toContain("'done`.?✓ Audited?[2K?'");
    const long = sentences('said', evidenceOf({ heldReason: 'x'.repeat(1000) })).join('\n');
    expect(long).toContain(`'${'x'.repeat(120)}…'`);
  });
});
