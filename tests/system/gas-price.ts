import { setInterval as every } from 'node:timers/promises';
import type { ProductClient } from '../support/product-client.ts';

/** Block time, as on a test's own stack. */
const BLOCK_MS = 250;

/** Gas price without demand. Source: hyperevm § 1.3. */
const LEAST_WEI = 100_000_000n;

/** Sets the gas price of every block while a task runs, and resets it afterwards. @param wei base fee */
export async function atGasPrice<Result>(
  { control }: ProductClient,
  wei: bigint,
  run: () => Promise<Result>,
): Promise<Result> {
  await control.setBlockInterval(0);
  const over = new AbortController();
  const makeBlocks = async () => {
    for await (const _ of every(BLOCK_MS)) {
      if (over.signal.aborted) return;
      await control.setBaseFee('small', wei);
      await control.mine();
    }
  };
  const making = makeBlocks();
  try {
    return await run();
  } finally {
    over.abort();
    await making;
    await control.setBaseFee('small', LEAST_WEI);
    await control.setBlockInterval(BLOCK_MS);
  }
}
