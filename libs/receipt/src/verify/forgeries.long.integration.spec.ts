import type { Hex } from 'viem';
import { describe, expect, it } from 'vitest';
import { type ReceiptFile, receiptFileSchema } from '../file/receipt-file.ts';
import { type Forgery, forgeriesOf, placesOf } from '../forgeries.fixture.ts';
import { honestReceipt, OTHER_KEY, signedBy, WALLET_KEY } from '../honest-receipt.fixture.ts';
import { judge } from './judge.fixture.ts';
import type { Verdict } from './verify-receipt.ts';

const SEED = 20_261_122;
/** Each test recovers 1,000 signatures. */
const LONG_MS = 120_000;

const honest = honestReceipt(24);

/** Fields whose change is not shown and has no effect. */
const MEANINGLESS = [
  // The order was given up and traded nowhere.
  /^orders\.4\.venue$/,
];

describe('forged receipts (design § 2.6)', () => {
  it('rejects 1,000 receipts with one changed field', { timeout: LONG_MS }, async () => {
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
  });

  it('rejects 1,000 receipts signed by others', { timeout: LONG_MS }, async () => {
    const file = await signedBy(WALLET_KEY, honest.receipt);
    for (const { place, file: forged } of forgeriesOf(file, 1000, SEED + 1)) {
      if (place[0] === 'signature') continue;
      const { broken } = await judge(await signedByOrMalformed(OTHER_KEY, forged), honest);
      expect(broken?.rule, place.join('.')).toMatch(/^(format|signature)$/);
    }
  });

  it('rejects or lists 1,000 changes re-signed', { timeout: LONG_MS }, async () => {
    const file = await signedBy(WALLET_KEY, honest.receipt);
    const usual = await judge(file, honest);
    const hidden: string[] = [];
    for (const { place, file: forged } of forgeriesOf(file, 1000, SEED + 2)) {
      const path = place.slice(1).join('.');
      if (place[0] === 'signature' || MEANINGLESS.some((one) => one.test(path))) continue;
      const verdict = await judge(await signedByOrMalformed(WALLET_KEY, forged), honest);
      const { broken } = verdict;
      if (!broken && !isShown(verdict, usual) && !isTooSmall(path, forged)) hidden.push(path);
      else if (broken && broken.rule !== 'format')
        expect(reasonsFor(path), `${path}: ${broken.problem}`).toContain(broken.rule);
    }
    expect(hidden).toEqual([]);
  });
});

/** Whether the unproven sentences show the difference to a reader. */
function isShown(verdict: Verdict, usual: Verdict): boolean {
  const unproven = ({ service, asserted, unknown }: Verdict) => [service, ...asserted, ...unknown].join('\n');
  return unproven(verdict) !== unproven(usual);
}

/** A price is shown in whole wei for a token. */
function isTooSmall(path: string, { receipt }: ReceiptFile): boolean {
  const [before, after] = [honest.receipt, receipt].map(({ rules }) => BigInt(rules.seenPriceX96 ?? 0));
  if (path !== 'rules.seenPriceX96' || before === undefined || after === undefined) return false;
  const change = after > before ? after - before : before - after;
  return change * 1_000_000n < before;
}

/** Signs the file, or returns it unchanged if its format is invalid. */
async function signedByOrMalformed(key: Hex, file: ReceiptFile): Promise<unknown> {
  return receiptFileSchema.safeParse(file).success ? signedBy(key, file.receipt) : file;
}

/** Rules that may reject a change first. */
function reasonsFor(path: string): readonly string[] {
  const reason = REASONS.find(([place]) => place.test(path));
  if (!reason) throw new Error(`no reason is expected for ${path}`);
  return reason[1];
}

const REASONS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/^(jobId|returnAddress|agreement)/, ['agreement', 'delivery', 'returns']],
  [/^(state|ending|heldReason)/, ['ending', 'wallet']],
  [/^(chainId|asOf)/, ['chain', 'wallet', 'agreement']],
  [/^wallet$/, ['signature', 'wallet', 'agreement']],
  [/^token\.address/, ['only_buys', 'agreement']],
  [/^token\.decimals/, ['balance']],
  [/^payer|^deposits|^rules\.paidWei/, ['money_in', 'sums', 'agreement']],
  [/^rules\.version/, ['rules']],
  [/^rules\.feePercent/, ['fee']],
  [/^rules\.slippageBps/, ['only_buys', 'agreement']],
  [/^rules\.slotMs/, ['schedule', 'agreement']],
  [/^rules\.(seenPriceX96|bandBps)/, ['price_band', 'agreement']],
  [/^rules\.(tradingEndsAt|latestEndAt)/, ['schedule', 'ending', 'agreement']],
  [/^pauses/, ['pauses']],
  [/^transfers\.\d+\.(kind|to|amount)/, ['money_in', 'fee', 'delivery', 'returns', 'sums']],
  [/^(transfers|orders)\.\d+\.(nonce|blockNumber|transactionHash|gasWei|succeeded|minedAt)/, ['wallet', 'chain']],
  [/^orders\.\d+\.result/, ['wallet', 'only_buys']],
  [/^orders/, ['only_buys', 'price_band']],
  [/^sums/, ['sums']],
];
