import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** The steps of a round, in their order; a small round has no `activation` and no `fee`. */
export const STEPS = ['token', 'job', 'funds', 'payment', 'detection', 'activation', 'stop', 'fee', 'return'] as const;

/** See {@link STEPS}. */
export type Step = (typeof STEPS)[number];

/** A final error: retries cannot help. */
export class Refusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Refusal';
  }
}

/** A step failed; the message has the reason for people, without a secret. */
export class StepFailure extends Error {
  readonly code = 'CANARY_STEP_FAILED';
  readonly step: Step;

  constructor(step: Step, reason: string) {
    super(reason);
    this.name = 'StepFailure';
    this.step = step;
  }
}

/** One try of a step: its result, or undefined if there is none yet. */
type Attempt<Result> = (signal: AbortSignal) => Promise<Result | undefined>;

/** Timeout of one try, ms. */
const ATTEMPT_MS = 10_000;

/**
 * The steps of a round, with a shared time limit. A step is retried until it succeeds, is refused, or the time is over: a single lost
 * request is no fault of the money path. If a result never arrives, the failure names the waiting step.
 */
export class Steps {
  /** Duration of each successful step, ms; the sum if a step has several parts. */
  readonly tookMs = new Map<Step, number>();
  private readonly over = new AbortController();

  /** @param limitMs time limit of all steps together, ms @param ended ends the steps early */
  constructor(limitMs: number, ended: AbortSignal) {
    const end = () => this.over.abort();
    // Uses a timer: `AbortSignal.any` is garbage-collected together with a timeout signal that has no other reference.
    setTimeout(end, limitMs).unref();
    if (ended.aborted) end();
    else ended.addEventListener('abort', end, { once: true });
  }

  /** @param pauseMs time between two tries, ms @throws StepFailure */
  async take<Result>(step: Step, pauseMs: number, attempt: Attempt<Result>): Promise<Result> {
    const startMs = performance.now();
    const { signal } = this.over;
    let missing = 'no time was left for this step';
    while (!signal.aborted) {
      try {
        const result = await this.tryOnce(attempt);
        if (result !== undefined) {
          this.tookMs.set(step, (this.tookMs.get(step) ?? 0) + performance.now() - startMs);
          return result;
        }
        missing = 'the expected result did not arrive';
      } catch (error) {
        if (error instanceof Refusal) throw new StepFailure(step, error.message);
        // Keeps the error of the earlier try: the abort at the end of the round hides the cause.
        if (!signal.aborted) missing = messageOf(error);
      }
      await delay(pauseMs, undefined, { signal }).catch(() => {});
    }
    throw new StepFailure(step, missing);
  }

  /** Limits the time of a try, also if the try ignores its signal. */
  private async tryOnce<Result>(attempt: Attempt<Result>): Promise<Result | undefined> {
    const { signal } = this.over;
    const cut = new AbortController();
    const end = () => cut.abort();
    const timer = setTimeout(end, ATTEMPT_MS);
    signal.addEventListener('abort', end, { once: true });
    const cutOff = once(cut.signal, 'abort').then(() => {
      throw new Error('no answer in time');
    });
    try {
      return await Promise.race([attempt(cut.signal), cutOff]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
    }
  }
}

/** Returns viem's short message: the long one contains the endpoint's URL, which may contain a key. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { shortMessage, details } = error as Error & { shortMessage?: string; details?: string };
  if (shortMessage === undefined) return error.message;
  return details === undefined || shortMessage.includes(details) ? shortMessage : `${shortMessage} ${details}`;
}
