import type { Logger } from 'pino';
import { runForNobody } from './request-context.ts';

/**
 * A piece of work repeated with a pause between two runs, never overlapping itself. A failing run is logged and the
 * next one still comes; `stop` waits for the run under way.
 */
export class PeriodicTask {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private stopped = true;
  private wanted = false;

  /**
   * @param pauseMs between the end of a run and the begin of the next, ms
   * @param run returns true to be run again at once, since there is more to do, or the pause before its next run, ms
   * @param retryMs between a run that failed and the next, ms
   */
  constructor(
    private readonly name: string,
    private readonly pauseMs: number,
    private readonly logger: Logger,
    // biome-ignore lint/suspicious/noConfusingVoidType: most tasks return nothing
    private readonly run: () => Promise<boolean | number | void>,
    private readonly retryMs = pauseMs,
  ) {}

  start(): void {
    if (!this.stopped) return;
    this.stopped = false;
    this.schedule(0);
  }

  /** Runs soon, without waiting for the pause to pass: the counterpart of a missed notification is the pause. */
  wake(): void {
    this.wanted = true;
    if (!this.stopped && this.running === undefined) this.schedule(0);
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  private schedule(delayMs: number): void {
    clearTimeout(this.timer);
    // A timer keeps the request that woke the task, and this one would hand it on to every later run.
    this.timer = runForNobody(() =>
      setTimeout(() => {
        this.running = this.once().finally(() => {
          this.running = undefined;
        });
      }, delayMs),
    );
  }

  private async once(): Promise<void> {
    this.wanted = false;
    let delayMs = this.pauseMs;
    try {
      const next = await this.run();
      if (typeof next === 'number') delayMs = next;
      else if (next) delayMs = 0;
    } catch (error) {
      delayMs = this.retryMs;
      this.logger.error({ err: error, task: this.name }, `${this.name} failed, retrying in ${this.retryMs} ms`);
    }
    if (!this.stopped) this.schedule(this.wanted ? 0 : delayMs);
  }
}
