import { exchangeRegistry } from '@maker/local-stack';
import { checkReceipt, type SignedReceipt } from '@maker/receipt';
import { expect } from 'vitest';
import type { ProductClient } from './product-client.ts';
import { until } from './until.ts';

/**
 * Has the signed file of a job that ended judged as a stranger would who knows the local chain's exchanges, by the file and the
 * chain's endpoint: all of it that the chain can tell is so. Source: design § 2.6. @returns what the file says
 */
export async function expectProven(product: ProductClient, jobId: string): Promise<SignedReceipt> {
  const content = await until(
    'the final receipt',
    async () => (await product.call<{ receipt?: SignedReceipt }>('GET', `/jobs/${jobId}/receipt.json`)).body,
    // A refund of what came beside the job may still be on its way.
    ({ receipt }) => receipt?.state === 'final',
    { timeoutMs: 120_000 },
  );
  const endpoint = { url: new URL(product.stack.rpcUrl) };
  const venues = exchangeRegistry(product.stack.contracts);
  const { verdict, receipt } = await checkReceipt(content, endpoint, () => undefined, { venues });
  expect(verdict.broken, `the receipt of ${jobId}`).toBeUndefined();
  if (!receipt) throw new Error('a receipt without a fault was not read');
  expect(verdict.unknown.join('\n'), `the receipt of ${jobId}`).not.toContain('not known to this verifier');
  return receipt;
}
