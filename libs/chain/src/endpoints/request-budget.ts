import { BaseError } from 'viem';
import type { Lane, RequestWindow, WindowSlot } from './request-window.ts';

/** A request was not sent: its turn within the endpoint's limit would have come too late. */
export class RequestBudgetSpentError extends BaseError {
  readonly code = 'REQUEST_BUDGET_SPENT';

  constructor(waitMs: number) {
    super(`The limit of requests is used up: this one would have waited more than ${waitMs} ms.`, {
      name: 'RequestBudgetSpentError',
    });
  }
}

interface Waiting {
  readonly lane: Lane;
  readonly go: (slot: WindowSlot) => void;
}

const ORDER: readonly Lane[] = ['broadcast', 'read', 'background'];

/** Releases requests when the window has a place for them: by lane, then in order of arrival. */
export class RequestBudget {
  private readonly window: RequestWindow;
  private readonly now: () => number;
  private readonly waiting: Waiting[] = [];
  private timer: NodeJS.Timeout | undefined;

  constructor(window: RequestWindow, now: () => number) {
    this.window = window;
    this.now = now;
  }

  /** Shortest wait of a new request, ms. */
  waitMs(lane: Lane): number {
    const behind = this.waiting.some((waiting) => !isBefore(lane, waiting.lane));
    return Math.max(this.window.waitMs(this.now(), lane), behind ? 1 : 0);
  }

  /** Waits for its turn. @throws RequestBudgetSpentError after `mostWaitMs` */
  acquire(lane: Lane, mostWaitMs: number): Promise<WindowSlot> {
    const waitMs = this.waitMs(lane);
    if (waitMs === 0) return Promise.resolve(this.window.take(this.now(), lane));
    const tooLong = waitMs > mostWaitMs && (Number.isFinite(waitMs) || mostWaitMs === 0);
    if (tooLong) return Promise.reject(new RequestBudgetSpentError(mostWaitMs));
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        lane,
        go: (slot) => {
          clearTimeout(timer);
          resolve(slot);
        },
      };
      const timer = setTimeout(() => {
        this.waiting.splice(this.waiting.indexOf(waiting), 1);
        reject(new RequestBudgetSpentError(mostWaitMs));
      }, mostWaitMs);
      const before = this.waiting.findIndex((other) => isBefore(lane, other.lane));
      this.waiting.splice(before === -1 ? this.waiting.length : before, 0, waiting);
      this.release();
    });
  }

  answered(slot: WindowSlot): void {
    this.window.answered(slot, this.now());
    this.release();
  }

  rest(forMs: number): void {
    this.window.rest(this.now() + forMs);
    this.release();
  }

  get rests(): boolean {
    return this.window.rests(this.now());
  }

  private release(): void {
    clearTimeout(this.timer);
    for (let first = this.waiting[0]; first; first = this.waiting[0]) {
      const waitMs = this.window.waitMs(this.now(), first.lane);
      if (waitMs > 0) {
        if (Number.isFinite(waitMs)) this.timer = setTimeout(() => this.release(), Math.ceil(waitMs));
        return;
      }
      this.waiting.shift();
      first.go(this.window.take(this.now(), first.lane));
    }
  }
}

function isBefore(lane: Lane, other: Lane): boolean {
  return ORDER.indexOf(lane) < ORDER.indexOf(other);
}
