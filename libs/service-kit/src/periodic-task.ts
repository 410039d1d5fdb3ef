import type { Logger } from 'pino';
import { runWithoutRequest } from './request-context.ts';
import { type Watched, watchdog } from './watchdog.ts';

/** Tells the watchdog that a run has made one of its own rounds. @param pauseMs time until the next one begins, ms */
export type CameRound = (pauseMs?: number) => void;

/**
 * Repeats work with a pause between two runs, which never overlap. A failed run is logged and the next one follows.
 * `stop` waits for the current run. The watchdog ends the process if a run does not end for minutes.
 */
export class PeriodicTask {
  private timer: NodeJS.Timeout | undefined;
  private watched: Watched | undefined;
  private running: Promise<void> | undefined;
  private stopped = true;
  private wanted = false;

  /**
   * @param pauseMs between the end of a run and the start of the next, ms
   * @param run returns true to run again immediately (more work), or the pause before its next run, ms. A run that goes on by design
   *   calls its argument at each of its own rounds
   * @param retryMs between a failed run and the next, ms
   */
  constructor(
    private readonly name: string,
    private readonly pauseMs: number,
    private readonly logger: Logger,
    // biome-ignore lint/suspicious/noConfusingVoidType: most tasks return nothing
    private readonly run: (cameRound: CameRound) => Promise<boolean | number | void>,
    private readonly retryMs = pauseMs,
  ) {}

  start(): void {
    if (!this.stopped) return;
    this.stopped = false;
    this.watched = watchdog.watch(this.name);
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
    this.watched?.end();
    await this.running;
  }

  private schedule(delayMs: number): void {
    clearTimeout(this.timer);
    this.watched?.cameRound(delayMs);
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
    const cameRound: CameRound = (pauseMs) => this.watched?.cameRound(pauseMs);
    cameRound();
    let delayMs = this.pauseMs;
    try {
      const next = await this.run(cameRound);
      if (typeof next === 'number') delayMs = next;
      else if (next) delayMs = 0;
    } catch (error) {
      delayMs = this.retryMs;
      this.logger.error({ err: error, task: this.name }, `${this.name} failed, retrying in ${this.retryMs} ms`);
    }
    if (!this.stopped) this.schedule(this.wanted ? 0 : delayMs);
  }
}
