import { AsyncLocalStorage } from 'node:async_hooks';
import { RequestFailedError } from '@maker/messaging';

/** Options of a {@link Semaphore}. */
export interface SemaphoreOptions {
  /** Most permits at the same time. */
  readonly most: number;
  /** A permit is released after this time even if the work has not ended, so that one hanging service does not block others, ms. */
  readonly longestHoldMs: number;
  /** Work that waited longer is refused, ms. */
  readonly longestWaitMs: number;
  readonly now: () => number;
}

interface Waiting {
  readonly sinceMs: number;
  readonly begin: () => void;
  readonly refuse: (error: Error) => void;
}

/** Limits concurrent requests; waiting requests begin in the order of their calls. */
export class Semaphore {
  private taken = 0;
  private waiting: Waiting[] = [];

  constructor(private readonly options: SemaphoreOptions) {}

  /** Runs the work when a permit is free. @throws RequestFailedError `SERVICE_UNAVAILABLE` if none is free in time */
  run<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    if (this.taken < this.options.most) return this.begin(work);
    return new Promise((resolve, reject) => {
      // In the context of this caller, not of the work that ends before it.
      const begin = AsyncLocalStorage.bind(() => void this.begin(work).then(resolve, reject));
      this.waiting.push({ sinceMs: this.options.now(), begin, refuse: reject });
    });
  }

  /** Number of waiting requests. */
  get waitingCount(): number {
    return this.waiting.length;
  }

  private begin<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    this.taken += 1;
    let isHeld = true;
    const release = () => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(timer);
      this.taken -= 1;
      this.beginWaiting();
    };
    const timer = setTimeout(release, this.options.longestHoldMs);
    return work().finally(release);
  }

  private beginWaiting(): void {
    const { most, longestWaitMs, now } = this.options;
    while (this.taken < most) {
      const next = this.waiting.shift();
      if (!next) return;
      if (now() - next.sinceMs < longestWaitMs) next.begin();
      else next.refuse(new RequestFailedError('SERVICE_UNAVAILABLE', 'Too many requests wait for their turn'));
    }
  }
}
