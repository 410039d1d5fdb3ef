import { expect } from 'vitest';
import { until } from '../../../support/until.ts';
import { answersAgain } from './mended.ts';
import { type Run, type RunbookStage, SOON } from './runbook-stage.ts';

/** A service on which only visitors depend. */
const SERVICE = 'token-validation';

/** Longer than an alert tolerates. */
const REQUESTS = 20;
const READS = 40;

/** Periods in which a processor is denied and allowed, in turn. */
const DENIED_MS = 900;
const HAD_MS = 100;

/** Limits its processor: stops it for most of each second. */
class Throttle {
  private readonly over = new Set<RunbookStage>();

  readonly begin = async (stage: RunbookStage) => {
    void this.goOn(stage);
    return { SERVICE: stage.stack.ops[SERVICE] };
  };

  readonly end = (stage: RunbookStage) => {
    this.over.add(stage);
    stage.running.resume(SERVICE);
  };

  private async goOn(stage: RunbookStage): Promise<void> {
    while (!this.over.has(stage)) {
      stage.running.pause(SERVICE);
      await new Promise((resolve) => setTimeout(resolve, DENIED_MS));
      stage.running.resume(SERVICE);
      await new Promise((resolve) => setTimeout(resolve, HAD_MS));
    }
  }
}

const throttle = new Throttle();

/** Visitors send requests that no service can answer. */
async function askInVain({ product, running, stack }: RunbookStage) {
  await running.kill(SERVICE, 'SIGKILL');
  const body = { tokenAddress: stack.tokens.v3Only };
  for (let asked = 0; asked < REQUESTS; asked++) await product.call('POST', '/validate-token', body);
  return { SERVICE: stack.ops[SERVICE], GATEWAY: stack.ops['api-gateway'] };
}

/** The canary succeeded, and then fails. */
async function turnTheCanaryAway(stage: RunbookStage) {
  const { canary, running, stack } = stage;
  await getsThrough(stage);
  await running.kill(SERVICE, 'SIGKILL');
  expect((await canary.round(stack.tokens.v3Only)).failure).toMatchObject({ step: 'token' });
  return { SERVICE: stack.ops[SERVICE] };
}

async function getsThrough({ canary, stack }: RunbookStage): Promise<void> {
  expect((await canary.round(stack.tokens.v3Only)).failure).toBeUndefined();
}

/** The job service is paused while pages poll: their requests are answered when the gateway gives up. */
async function freezeJobs(stage: RunbookStage) {
  const { product, running, stack } = stage;
  const { jobId } = await stage.create();
  running.pause('job');
  const read = () => product.call('GET', `/jobs/${jobId}/payment`);
  await until(
    'slow reads',
    () => Promise.all(Array.from({ length: READS }, read)),
    (answers) => answers.some(({ status }) => status !== 200),
    SOON,
  );
  await Promise.all(Array.from({ length: READS }, read));
  return { JOB: jobId, SERVICE: stack.ops.job, GATEWAY: stack.ops['api-gateway'] };
}

async function isRead(stage: RunbookStage): Promise<void> {
  const { jobId } = await stage.create();
  await stage.untilPayment('an answer', jobId, ({ status }) => status === 'pending_payment');
}

/** Too little memory: the process is killed again as soon as Prometheus has seen its start. */
class KillLoop {
  private readonly over = new Set<RunbookStage>();
  private killing: Promise<void> = Promise.resolve();

  readonly begin = async (stage: RunbookStage) => {
    this.killing = this.goOn(stage);
    return { SERVICE: stage.stack.ops[SERVICE] };
  };

  readonly end = async (stage: RunbookStage) => {
    this.over.add(stage);
    await this.killing;
  };

  private async goOn(stage: RunbookStage): Promise<void> {
    const { prometheus, running } = stage;
    const starts = async () => (await prometheus.query(`process_start_time_seconds{job="${SERVICE}"}`))[0]?.value[1];
    while (!this.over.has(stage)) {
      const before = await until('a start that is seen', starts, (start) => start !== undefined, SOON);
      await running.kill(SERVICE, 'SIGKILL');
      await running.restart(SERVICE);
      await until('the next start', starts, (start) => start !== undefined && start !== before, SOON);
    }
  }
}

const killLoop = new KillLoop();

/** Faults of the processes themselves, and objectives that they break. */
export const PROCESS_RUNS: readonly Run[] = [
  {
    runbook: 'event-loop-blocked',
    alert: 'MakerEventLoopBlocked',
    makeFault: throttle.begin,
    shows: /^nodejs_eventloop_lag_p99_seconds/m,
    blocksBefore: 1,
    elsewhere: throttle.end,
    isMended: answersAgain,
  },
  {
    runbook: 'service-restarting',
    alert: 'MakerServiceRestarting',
    patience: { '[30m]': '[3m]' },
    makeFault: killLoop.begin,
    // Its answer depends on the moment.
    shows: /"job":"token-validation"[^[]*\[[\d.]+,"[4-9]"\]/,
    blocksBefore: 1,
    elsewhere: killLoop.end,
    isMended: answersAgain,
  },
  {
    runbook: 'api-error-budget',
    alert: 'MakerApiErrorBudgetBurn',
    makeFault: askInVain,
    shows: /status="5\d\d".* [1-9]/,
    blocksBefore: 1,
    elsewhere: ({ running }) => running.restart(SERVICE),
    isMended: answersAgain,
  },
  {
    runbook: 'canary-failing',
    alert: 'MakerCanaryFailing',
    makeFault: turnTheCanaryAway,
    shows: /no answer/,
    blocksBefore: 1,
    elsewhere: ({ running }) => running.restart(SERVICE),
    isMended: getsThrough,
  },
  {
    runbook: 'api-latency-budget',
    alert: 'MakerApiLatencyBudgetBurn',
    makeFault: freezeJobs,
    shows: /no answer/,
    blocksBefore: 1,
    elsewhere: ({ running }) => running.resume('job'),
    isMended: isRead,
  },
];
