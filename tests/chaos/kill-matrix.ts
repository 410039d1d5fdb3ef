import type { ServiceName } from '@maker/local-stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Seeded } from '../support/seeded.ts';
import { assertAllReceived } from './all-received.ts';
import { ChaosStack } from './chaos-stack.ts';
import { FailPointMatrix, type Recording } from './fail-points/fail-point-matrix.ts';
import { assertNothingLost } from './invariants.ts';
import { IS_WHOLE, RUN_TIMEOUT_MS } from './runs.ts';
import { describeCells, strike } from './strike.ts';
import { runWave } from './wave.ts';

/** Skips points that only one of two runs without faults passes; a sample of the matrix needs only one such run. */
const QUIET_RUNS = IS_WHOLE ? [1, 2] : [1];

/** Most extra runs to reach cells that are passed by chance only. */
const MOST_MORE_RUNS = 12;

/**
 * Declares the runs in which some services die at their fail points.
 * @param pipeline name of these services' work @param runs numbers of the runs
 */
export function describeKillMatrix(pipeline: string, services: readonly ServiceName[], runs: readonly number[]): void {
  const seeded = new Seeded();
  const hasWebhooks = services.includes('webhook-sender');
  let stack: ChaosStack | undefined;
  let matrix: FailPointMatrix;
  let kills = 0;
  const say = (line: string): void => console.log(`${pipeline}: ${line}`);

  beforeAll(async () => {
    say(`${runs.length} runs, CHAOS_SEED=${seeded.seed}`);
    stack = await ChaosStack.start({ hasWebhooks });
    const recordings: Recording[] = [];
    for (const run of QUIET_RUNS) recordings.push(await record(stack, services, run));
    matrix = new FailPointMatrix(recordings, seeded);
    say(`${matrix.points} fail points, ${matrix.size} cells`);
  }, RUN_TIMEOUT_MS);

  afterAll(async () => {
    if (matrix) say(`${kills} kills, ${matrix.reached} of ${matrix.size} cells reached, CHAOS_SEED=${seeded.seed}`);
    await stack?.stop();
  });

  const run = async (name: string, runsLeft: number): Promise<void> => {
    stack ??= await ChaosStack.start({ hasWebhooks });
    const hands = matrix.deal(runsLeft);
    const circumstances = `seed ${seeded.seed}, run ${name}: ${describeCells(hands.flat())}`;
    const strikes = strike(stack.arming, hands);
    try {
      const jobs = await runWave(stack.product);
      await assertNothingLost(stack.product, jobs, circumstances);
      if (stack.receiver) await assertAllReceived(stack.running.stack, stack.receiver, jobs, circumstances);
      const { reached, missed } = strikes.end();
      kills += reached.length;
      for (const cell of reached) matrix.noteReached(cell);
      for (const cell of missed) matrix.noteMissed(cell);
      await stack.keeper.allUp();
      expect(stack.keeper.unexplained, circumstances).toEqual([]);
      say(`run ${name}: ${describeCells(reached)}${missed.length > 0 ? `; missed ${describeCells(missed)}` : ''}`);
    } catch (error) {
      say(`run ${name} failed; logs: ${await stack.keepEvidence(`${pipeline}-${seeded.seed}-${name}`)}`);
      await stack.stop();
      stack = undefined;
      throw error;
    }
  };

  describe(`kills at fail points of ${pipeline} money lose no wei${hasWebhooks ? ' and no message' : ''} (design §§ 3 and 5)`, () => {
    it.each(runs)('run %i', { timeout: RUN_TIMEOUT_MS }, (number) => run(String(number), runs.length - number + 1));

    it('are at least as many as the runs', () => {
      expect(kills).toBeGreaterThanOrEqual(runs.length);
    });

    if (IS_WHOLE) {
      it('reach every fail point, before and after it', { timeout: MOST_MORE_RUNS * RUN_TIMEOUT_MS }, async () => {
        for (let more = 1; more <= MOST_MORE_RUNS && matrix.unreached().length > 0; more++)
          await run(`more-${more}`, 1);
        expect(matrix.unreached()).toEqual([]);
      });
    }
  });
}

/** Records which fail points a run without faults passes, and how often. */
async function record(
  { product, arming, running, receiver }: ChaosStack,
  services: readonly ServiceName[],
  run: number,
): Promise<Recording> {
  for (const service of services) arming.takePassed(service);
  const jobs = await runWave(product);
  await assertNothingLost(product, jobs, `quiet run ${run}`);
  if (receiver) await assertAllReceived(running.stack, receiver, jobs, `quiet run ${run}`);
  return new Map(services.map((service) => [service, arming.takePassed(service)]));
}
