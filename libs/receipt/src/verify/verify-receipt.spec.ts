import type { Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import { type ReceiptFile, receiptFileSchema } from '../file/receipt-file.ts';
import { type Forgery, forgeriesOf, placesOf } from '../forgeries.fixture.ts';
import { type Honest, honestReceipt, OTHER_KEY, signedBy, WALLET_KEY } from '../honest-receipt.fixture.ts';
import { openReceipt, type Verdict, verifyReceipt } from './verify-receipt.ts';

const SEED = 20_261_122;
/** A thousand signatures are recovered. */
const LONG_MS = 120_000;

const honest = honestReceipt(24);

async function judge(content: unknown, { facts }: Pick<Honest, 'facts'> = honest): Promise<Verdict> {
  const opened = await openReceipt(content);
  return 'broken' in opened ? { broken: opened.broken, proven: [], unknown: [] } : verifyReceipt(opened.file, facts);
}

/** What is the service's word, by which no state of the chain can be contradicted: docs/receipt.md says so. */
const CLAIMS = [
  /^jobId$/,
  /^token\.symbol$/,
  /^returnAddress$/,
  /^rules\.(slotMs|tradingEndsAt|latestEndAt|seenPriceX96|bandBps|orderLifeSeconds)$/,
  /^pauses\.\d+\./,
  /^ending\./,
  /^(heldReason|releasedAt)$/,
  // Given up: nothing on the chain tells what it would have been.
  /^orders\.4\.(venue|tradeWei|minimumTokens)$/,
  // Known as far as the minimum on the chain and the published slippage limit bind it.
  /^orders\.\d+\.quotedTokens$/,
];

describe('a receipt (design § 2.6)', () => {
  it('is accepted where it is honest, and says what was proven and what cannot be known', async () => {
    const verdict = await judge(await signedBy(WALLET_KEY, honest.receipt));
    expect(verdict.broken).toBeUndefined();
    expect(verdict.proven.join('\n')).toMatchInlineSnapshot(`
      "The job's wallet 0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a signed this file.
      The chain is 999, and block 30, up to which the receipt tells, is on it.
      One wallet: 0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a has sent 28 transactions in its life, and the receipt explains each.
      The job was paid with 0.25 HYPE by 0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa alone.
      The fee is 30 % of what the job was paid with, sent once: 0.075 HYPE.
      Only buys: 22 purchases from pools brought 879120 DEMO; no token was ever sold.
      Schedule: one standard order every 138 s, or as many merged into one; none came early.
      Price band: no order was placed at more than 10 % above the price that it is measured from.
      1 pauses are told, and nothing was bought in any of them.
      879120 DEMO were delivered to 0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.
      0.165849 HYPE went back to 0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, and 0.009987 HYPE of other deposits to who had sent them.
      Every wei is explained: 0.26 HYPE = fee 0.075 HYPE + orders 0.0088 HYPE + gas 0.000364 HYPE + returned 0.175836 HYPE + left 0 HYPE.
      The job has ended by 2027-01-17T09:00:00.000Z: the budget is spent.
      The wallet holds 0 HYPE now, which covers what the receipt says is left."
    `);
    expect(verdict.unknown.join('\n')).toMatchInlineSnapshot(`
      "Which price the payer saw before paying: compare the one in the receipt with your own page.
      What the exchanges quoted at the time: the chain shows no past states, only the minimum that each order held them to.
      That 0xcccccccccccccccccccccccccccccccccccccccc is the service's treasury, and that the plan is the one shown before payment: the receipt says so under the wallet's signature.
      Why the job paused: its reasons are what the service says; that nothing was bought meanwhile is checked."
    `);
  });

  it(
    'of 1,000 with one field changed, none is accepted: the wallet did not sign it',
    async () => {
      const file = await signedBy(WALLET_KEY, honest.receipt);
      const accepted: Forgery['place'][] = [];
      const rules = new Set<string | undefined>();
      for (const { place, file: forged } of forgeriesOf(file, 1000, SEED)) {
        const { broken } = await judge(forged);
        if (!broken) accepted.push(place);
        rules.add(broken?.rule);
      }
      expect(accepted).toEqual([]);
      expect(rules).toEqual(new Set(['format', 'signature']));
      expect(placesOf(file).length).toBeGreaterThan(300);
    },
    LONG_MS,
  );

  it(
    'of 1,000 that somebody else signed anew, none is accepted',
    async () => {
      const file = await signedBy(WALLET_KEY, honest.receipt);
      for (const { place, file: forged } of forgeriesOf(file, 1000, SEED + 1)) {
        if (place[0] === 'signature') continue;
        const { broken } = await judge(await signedByOrMalformed(OTHER_KEY, forged));
        expect(broken?.rule, place.join('.')).toMatch(/^(format|signature)$/);
      }
    },
    LONG_MS,
  );

  it(
    'of 1,000 that the job’s own wallet signed anew, none is accepted of which the chain says otherwise',
    async () => {
      const file = await signedBy(WALLET_KEY, honest.receipt);
      const accepted: string[] = [];
      for (const { place, file: forged } of forgeriesOf(file, 1000, SEED + 2)) {
        const path = place.slice(1).join('.');
        if (place[0] === 'signature' || CLAIMS.some((claim) => claim.test(path))) continue;
        const { broken } = await judge(await signedByOrMalformed(WALLET_KEY, forged));
        if (!broken) accepted.push(path);
        else if (broken.rule !== 'format')
          expect(reasonsFor(path), `${path}: ${broken.problem}`).toContain(broken.rule);
      }
      expect(accepted).toEqual([]);
    },
    LONG_MS,
  );
});

/** What has another form cannot be signed: it is judged as it stands. */
async function signedByOrMalformed(key: Hex, file: ReceiptFile): Promise<unknown> {
  return receiptFileSchema.safeParse(file).success ? signedBy(key, file.receipt) : file;
}

/** Rules that may be the first to notice a change. */
function reasonsFor(path: string): readonly string[] {
  const reason = REASONS.find(([place]) => place.test(path));
  if (!reason) throw new Error(`no reason is expected for ${path}`);
  return reason[1];
}

const REASONS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(state|ending)/, ['ending', 'wallet']],
  [/^(chainId|asOf)/, ['chain', 'wallet']],
  [/^wallet$/, ['signature', 'wallet']],
  [/^token\.address/, ['only_buys']],
  [/^token\.decimals/, ['balance']],
  [/^payer|^deposits|^rules\.paidWei/, ['money_in', 'sums']],
  [/^rules\.(feePercent|orderBudgetWei|treasury)/, ['fee']],
  [/^rules\.(slippageBps|venues)/, ['only_buys']],
  [/^transfers\.\d+\.(kind|to|amount)/, ['fee', 'delivery', 'returns', 'sums']],
  [/^(transfers|orders)\.\d+\.(nonce|blockNumber|transactionHash|gasWei|succeeded|minedAt)/, ['wallet', 'chain']],
  [/^orders\.\d+\.result/, ['wallet', 'only_buys']],
  [/^orders/, ['only_buys']],
  [/^sums/, ['sums']],
];
