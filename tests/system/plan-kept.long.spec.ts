import { openReceipt, readFacts, verifyReceipt } from '@maker/receipt';
import { estimateOrders, parseHype } from '@maker/rules';
import type { Address } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { beginJob, completed, expectExactSums } from '../support/exact-job.ts';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';

/** Orders are placed as fast as the mempool takes them; the largest job has eight thousand. */
const JOB_TIMEOUT_MS = 1_500_000;
const TOKENS_OFF = 0.005;

let ownStack: Awaited<ReturnType<typeof startOwnStack>>;
let product: ProductClient;

beforeAll(async () => {
  ownStack = await startOwnStack(60);
  product = new ProductClient(ownStack.stack);
}, 120_000);

afterAll(() => ownStack?.stop());

/** Has the job's signed file judged as a stranger would, with nothing but the chain's endpoint. */
async function judged(jobId: string) {
  const { apiUrl, apiKey } = product.stack;
  const response = await fetch(`${apiUrl}/jobs/${jobId}/receipt.json`, { headers: { 'x-api-key': apiKey } });
  const opened = await openReceipt(await response.json());
  if ('broken' in opened) return opened;
  const facts = await readFacts(product.chain, opened.file.receipt);
  return { ...verifyReceipt(opened.file, facts), state: opened.file.receipt.state };
}

describe('a job does what its plan said before payment, and its receipt proves it (design §§ 2.6 and 4a)', () => {
  // One after the other on a venue: what another job buys there would move the price.
  it.each([
    ['v2Only', ['0.25', '0.5', '1', '2', '5']],
    ['v3Only', ['0.25', '1']],
    ['router02Only', ['0.25', '1']],
    ['camelotOnly', ['0.25', '1']],
    ['both', ['0.25', '1']],
  ] as const)(
    'on %s, of %j HYPE',
    async (name, amounts) => {
      const token = product.stack.tokens[name] as Address;
      for (const amount of amounts) {
        const begun = await beginJob(product, token, amount);
        await product.pay(begun.job.paymentAddress, amount);
        const ended = await completed(product, token, begun, JOB_TIMEOUT_MS);
        expectExactSums(amount, ended);
        const { lower, upper } = estimateOrders(parseHype(amount));
        expect(ended.account.ordersPlaced).toBeGreaterThanOrEqual(lower);
        expect(ended.account.ordersPlaced).toBeLessThanOrEqual(upper);
        const expected = Number(begun.job.plan?.purchase.tokens);
        expect(Math.abs(Number(ended.tokensReceived) / expected - 1), `${name} ${amount}`).toBeLessThan(TOKENS_OFF);
        expect(await judged(begun.job.jobId)).toMatchObject({ state: 'final', unknown: expect.any(Array) });
        expect((await judged(begun.job.jobId)).broken).toBeUndefined();
      }
    },
    JOB_TIMEOUT_MS,
  );
});
