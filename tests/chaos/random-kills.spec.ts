import { setTimeout as wait } from 'node:timers/promises';
import { SERVICES, type ServiceName } from '@maker/local-stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Seeded } from '../support/seeded.ts';
import { ChaosStack } from './chaos-stack.ts';
import { assertNothingLost } from './invariants.ts';
import { RANDOM_RUNS, RUN_TIMEOUT_MS } from './runs.ts';
import { runWave } from './wave.ts';

type Victim = ServiceName | 'mongod' | 'nats-server';

interface RandomKill {
  readonly victim: Victim;
  /** Time since the end of the previous kill, ms. */
  readonly afterMs: number;
  /** Downtime of a server, ms. A service restarts immediately. */
  readonly awayMs: number;
}

const LATEST_MS = 4000;
const LONGEST_AWAY_MS = 4000;
const MOST_KILLS = 4;
/** Servers as often as services, although there are fewer. */
const VICTIMS: readonly Victim[] = [...SERVICES, 'mongod', 'mongod', 'nats-server', 'nats-server'];

const seeded = new Seeded();
const kills = new Map<Victim, number>();
let stack: ChaosStack | undefined;

beforeAll(async () => {
  console.log(`random kills: ${RANDOM_RUNS.length} runs, CHAOS_SEED=${seeded.seed}`);
  stack = await ChaosStack.start();
}, RUN_TIMEOUT_MS);

afterAll(async () => {
  const sums = [...kills].map(([victim, count]) => `${victim} ${count}`).join(', ');
  console.log(`random kills: ${sums}, seed ${seeded.seed}`);
  await stack?.stop();
});

function plan(): RandomKill[] {
  return Array.from({ length: seeded.between(1, MOST_KILLS) }, () => ({
    victim: seeded.pick(VICTIMS),
    afterMs: seeded.between(0, LATEST_MS),
    awayMs: seeded.between(0, LONGEST_AWAY_MS),
  }));
}

async function kill({ running, keeper }: ChaosStack, { victim, awayMs }: RandomKill): Promise<void> {
  if (victim !== 'mongod' && victim !== 'nats-server') {
    await keeper.kill(victim);
    return;
  }
  await running.killServer(victim, 'SIGKILL');
  await wait(awayMs);
  // MongoDB keeps what it acknowledged; NATS keeps nothing.
  await running.startServer(victim, { wipe: victim === 'nats-server' });
}

async function killInTurn(chaos: ChaosStack, kills_: readonly RandomKill[]): Promise<void> {
  for (const one of kills_) {
    await wait(one.afterMs);
    await kill(chaos, one);
    kills.set(one.victim, (kills.get(one.victim) ?? 0) + 1);
  }
}

describe('no wei is lost by kills at random moments (design § 3)', () => {
  it.each(RANDOM_RUNS)('run %i', { timeout: RUN_TIMEOUT_MS }, async (run) => {
    stack ??= await ChaosStack.start();
    const planned = plan();
    const kills = planned.map(({ victim, afterMs, awayMs }) => `${victim} after ${afterMs} ms (away ${awayMs} ms)`);
    const circumstances = `seed ${seeded.seed}, run ${run}: ${kills.join(', ')}`;
    try {
      const [jobs] = await Promise.all([runWave(stack.product), killInTurn(stack, planned)]);
      await stack.keeper.allUp();
      await assertNothingLost(stack.product, jobs, circumstances, { timeoutMs: 240_000 });
      expect(stack.keeper.unexplained, circumstances).toEqual([]);
      console.log(circumstances);
    } catch (error) {
      console.log(`run ${run} failed; logs: ${await stack.keepEvidence(`random-${seeded.seed}-${run}`)}`);
      await stack.stop();
      stack = undefined;
      throw error;
    }
  });
});
