import { expect, it } from 'vitest';
import { endpointStates, faultsOfEndpoints } from '../support/endpoint-faults.ts';
import { beginJob, completed, expectExactSums } from '../support/exact-job.ts';
import { ownStackForFile } from '../support/own-stack-for-file.ts';
import { until } from '../support/until.ts';
import { medianLags } from './scan-lags.ts';

/** CORRECT_BLOCKS overrides the number. */
const BLOCKS = BigInt(process.env.CORRECT_BLOCKS ?? 10_000);
const BLOCK_MS = 80;
/** A job trades during the first quarter of them. */
const JOB_SECONDS = Number(BLOCKS) / 4;
/** A slow machine makes fewer blocks than the clock requests. */
const MOST_MS = Number(BLOCKS) * BLOCK_MS * 4 + 240_000;
const PAID = '0.25';

// A separate stack, whose chain runs twelve times as fast.
const own = ownStackForFile(JOB_SECONDS, {}, {}, { clock: { blockMs: BLOCK_MS, secondsPerBlock: 1 } });

it(`faults no endpoint for correct answers in ${BLOCKS} blocks`, { timeout: MOST_MS }, async () => {
  const since = await own.product.chain.getBlockNumber();
  const token = own.product.stack.tokens.both as `0x${string}`;
  const unpaid = await beginJob(own.product, token, PAID);
  await own.product.pay(unpaid.job.paymentAddress, PAID);
  expectExactSums(PAID, await completed(own.product, token, unpaid, MOST_MS));
  await until(
    `${BLOCKS} blocks`,
    () => own.product.chain.getBlockNumber(),
    (number) => number >= since + BLOCKS,
    { timeoutMs: MOST_MS, everyMs: 1000 },
  );
  expect(await faultsOfEndpoints(own.product.stack)).toBe(0);
  expect(new Set(await endpointStates(own.product.stack))).toEqual(new Set(['serving']));
});

it('scans errors above the head nearly as fast', { timeout: 600_000 }, async () => {
  const { strictMs, nullMs } = await medianLags({ stretches: 20, blocksOfEach: 20 });
  console.log(`scan lag, median: ${strictMs.toFixed(1)} ms with errors, ${nullMs.toFixed(1)} ms with null`);
  expect(strictMs / nullMs).toBeLessThan(1.5);
});
