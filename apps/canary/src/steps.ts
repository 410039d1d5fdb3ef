import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';

/** The steps of a round, in their order; a small round has no `activation` and no `fee`. */
export const STEPS = ['token', 'job', 'funds', 'payment', 'detection', 'activation', 'stop', 'fee', 'return'] as const;

/** See {@link STEPS}. */
export type Step = (typeof STEPS)[number];

/** It will not be otherwise however often one asks. */
export class Refusal extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Refusal';
  }
}

/** A step did not succeed; the message says why, for people, without a secret. */
export class StepFailure extends Error {
  readonly code = 'CANARY_STEP_FAILED';

  constructor(
    readonly step: Step,
    reason: string,
  ) {
    super(reason);
    this.name = 'StepFailure';
  }
}

/** One try of a step: its result, or undefined where it is not there yet. */
type Attempt<Result> = (signal: AbortSignal) => Promise<Result | undefined>;

/** Longest time of one try, ms: what hangs is asked again. */
const ATTEMPT_MS = 10_000;

/**
 * The time of a round, which its steps share. A step is tried again until it succeeds, something is refused, or the time is over: a single lost
 * request is no fault of the money path, and what stays away is named by the step that waits for it.
 */
export class Steps {
  /** Time of each step that succeeded, ms; of one that was taken in parts their sum. */
  readonly tookMs = new Map<Step, number>();
  private readonly over = new AbortController();

  /** @param limitMs time of all steps together @param ended ends it early */
  constructor(limitMs: number, ended: AbortSignal) {
    const end = () => this.over.abort();
    // Timers and not `AbortSignal.any`: that one is forgotten together with a timeout that nobody else holds.
    setTimeout(end, limitMs).unref();
    if (ended.aborted) end();
    else ended.addEventListener('abort', end, { once: true });
  }

  /** @param pauseMs between two tries @throws StepFailure */
  async take<Result>(step: Step, pauseMs: number, attempt: Attempt<Result>): Promise<Result> {
    const begunMs = performance.now();
    const { signal } = this.over;
    let missing = 'the time was over before it began';
    while (!signal.aborted) {
      try {
        const result = await this.tryOnce(attempt);
        if (result !== undefined) {
          this.tookMs.set(step, (this.tookMs.get(step) ?? 0) + performance.now() - begunMs);
          return result;
        }
        missing = 'it has not happened';
      } catch (error) {
        if (error instanceof Refusal) throw new StepFailure(step, error.message);
        // What was cut off by the end of all time says less than the try before it.
        if (!signal.aborted) missing = messageOf(error);
      }
      await delay(pauseMs, undefined, { signal }).catch(() => {});
    }
    throw new StepFailure(step, missing);
  }

  /** Waits for a try no longer than it may take, whether it minds its signal or not. */
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

/** What viem says at length names the endpoint's URL, which may hold a key; its short form does not. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { shortMessage, details } = error as Error & { shortMessage?: string; details?: string };
  if (shortMessage === undefined) return error.message;
  return details === undefined || shortMessage.includes(details) ? shortMessage : `${shortMessage} ${details}`;
}
