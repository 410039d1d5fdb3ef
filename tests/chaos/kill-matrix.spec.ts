import type { ServiceName } from '@maker/local-stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChaosStack } from './chaos-stack.ts';
import { FailPointMatrix, type Recording } from './fail-points/fail-point-matrix.ts';
import { assertNothingLost } from './invariants.ts';
import { IS_WHOLE, MATRIX_RUNS, RUN_TIMEOUT_MS } from './runs.ts';
import { Seeded } from './seeded.ts';
import { describeCells, strike } from './strike.ts';
import { runWave } from './wave.ts';

/** The services through which money is detected and sent, and the one by which jobs are created. */
const PIPELINE: readonly ServiceName[] = ['api-gateway', 'job', 'payment-watcher', 'maker-executor'];

/** What only one of two quiet runs passes is not in every run; for a sample of the matrix one tells enough. */
const QUIET_RUNS = IS_WHOLE ? [1, 2] : [1];

const seeded = new Seeded();
let stack: ChaosStack | undefined;
let matrix: FailPointMatrix;
let kills = 0;

beforeAll(async () => {
  console.log(`kill matrix: ${MATRIX_RUNS.length} runs, CHAOS_SEED=${seeded.seed}`);
  stack = await ChaosStack.start();
  const recordings: Recording[] = [];
  for (const run of QUIET_RUNS) recordings.push(await record(stack, run));
  matrix = new FailPointMatrix(recordings, seeded);
  console.log(`kill matrix: ${matrix.points} fail points, ${matrix.size} cells`);
}, RUN_TIMEOUT_MS);

afterAll(async () => {
  if (matrix) {
    console.log(`kill matrix: ${kills} kills, ${matrix.reached} of ${matrix.size} cells reached, seed ${seeded.seed}`);
  }
  await stack?.stop();
});

/** Which fail points a run without faults passes, and how often. */
async function record({ product, arming }: ChaosStack, run: number): Promise<Recording> {
  for (const service of PIPELINE) arming.takePassed(service);
  await assertNothingLost(product, await runWave(product), `quiet run ${run}`);
  return new Map(PIPELINE.map((service) => [service, arming.takePassed(service)]));
}

describe('no wei is lost when services are killed at fail points (design §§ 3 and 5)', () => {
  it.each(MATRIX_RUNS)('run %i', { timeout: RUN_TIMEOUT_MS }, async (run) => {
    stack ??= await ChaosStack.start();
    const hands = matrix.deal(MATRIX_RUNS.length - run + 1);
    const circumstances = `seed ${seeded.seed}, run ${run}: ${describeCells(hands)}`;
    const strikes = strike(stack, hands);
    try {
      const jobs = await runWave(stack.product);
      await assertNothingLost(stack.product, jobs, circumstances);
      const { reached, missed } = strikes.end();
      kills += reached.length;
      for (const cell of reached) matrix.noteReached(cell);
      for (const cell of missed) matrix.noteMissed(cell);
      await stack.keeper.allUp();
      expect(stack.keeper.unexplained, circumstances).toEqual([]);
      console.log(
        `run ${run}: ${describeCells([reached])}${missed.length > 0 ? `; missed ${describeCells([missed])}` : ''}`,
      );
    } catch (error) {
      console.log(`run ${run} failed; logs: ${await stack.keepEvidence(`matrix-${seeded.seed}-${run}`)}`);
      await stack.stop();
      stack = undefined;
      throw error;
    }
  });

  it.runIf(IS_WHOLE)('reaches every fail point, before and after it', () => {
    expect(matrix.unreached()).toEqual([]);
  });
});
