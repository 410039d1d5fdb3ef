import type { Logger } from 'pino';
import { runWithoutRequest } from './request-context.ts';

/**
 * Repeats work with a pause between two runs, which never overlap. A failed run is logged and the next one follows.
 * `stop` waits for the current run.
 */
export class PeriodicTask {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;
  private stopped = true;
  private wanted = false;

  /**
   * @param pauseMs between the end of a run and the start of the next, ms
   * @param run returns true to run again immediately (more work), or the pause before its next run, ms
   * @param retryMs between a failed run and the next, ms
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

  /** Runs soon, without the pause. If a notification is missed, the task still runs after the pause. */
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
    // A timer keeps the async context of its creator: without this, every later run would belong to the request that woke the task.
    this.timer = runWithoutRequest(() =>
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
