import type { Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import { type ReceiptFile, receiptFileSchema } from '../file/receipt-file.ts';
import { type Forgery, forgeriesOf, placesOf } from '../forgeries.fixture.ts';
import { honestReceipt, OTHER_KEY, signedBy, WALLET_KEY } from '../honest-receipt.fixture.ts';
import { judge } from './judge.fixture.ts';

const SEED = 20_261_122;
/** A thousand signatures are recovered. */
const LONG_MS = 120_000;

const honest = honestReceipt(24);

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

describe('forged receipts (design § 2.6)', () => {
  it(
    'of 1,000 with one field changed, none is accepted: the wallet did not sign it',
    async () => {
      const file = await signedBy(WALLET_KEY, honest.receipt);
      const accepted: Forgery['place'][] = [];
      const rules = new Set<string | undefined>();
      for (const { place, file: forged } of forgeriesOf(file, 1000, SEED)) {
        const { broken } = await judge(forged, honest);
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
        const { broken } = await judge(await signedByOrMalformed(OTHER_KEY, forged), honest);
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
        const { broken } = await judge(await signedByOrMalformed(WALLET_KEY, forged), honest);
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
