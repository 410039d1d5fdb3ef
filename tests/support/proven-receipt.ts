import { exchangeRegistry } from '@maker/local-stack';
import { checkReceipt, type SignedReceipt } from '@maker/receipt';
import { expect } from 'vitest';
import type { ProductClient } from './product-client.ts';
import { until } from './until.ts';

/**
 * Verifies the signed receipt of an ended job as a stranger would, from the file, the chain's endpoint and the local chain's
 * exchanges: the chain proves all its facts. Source: design § 2.6. @returns the receipt
 */
export async function expectProven(product: ProductClient, jobId: string): Promise<SignedReceipt> {
  const content = await until(
    'the final receipt',
    async () => (await product.call<{ receipt?: SignedReceipt }>('GET', `/jobs/${jobId}/receipt.json`)).body,
    // A refund beside the job may still be under way.
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
