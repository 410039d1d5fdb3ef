import { AsyncLocalStorage } from 'node:async_hooks';
import { RequestFailedError } from '@maker/messaging';

/** How {@link Semaphore} are given. */
export interface TurnsOptions {
  /** Semaphore at once. */
  readonly most: number;
  /** After so long a turn goes on to the next, ended or not: one service that hangs must not stop the questions to the others, ms. */
  readonly heldMs: number;
  /** Who waits longer is refused, ms. */
  readonly patienceMs: number;
  readonly now: () => number;
}

interface Waiting {
  readonly sinceMs: number;
  readonly begin: () => void;
  readonly refuse: (error: Error) => void;
}

/** Lets questions begin by and by, first come first: whoever cannot answer all at once is not asked all at once. */
export class Semaphore {
  private taken = 0;
  private waiting: Waiting[] = [];

  constructor(private readonly options: TurnsOptions) {}

  /** Asks at once where a turn is free. @throws RequestFailedError `SERVICE_UNAVAILABLE` where none came in time */
  run<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    if (this.taken < this.options.most) return this.begin(ask);
    return new Promise((resolve, reject) => {
      // On behalf of whoever waits, not of whoever ends.
      const begin = AsyncLocalStorage.bind(() => void this.begin(ask).then(resolve, reject));
      this.waiting.push({ sinceMs: this.options.now(), begin, refuse: reject });
    });
  }

  /** Questions that wait. */
  get waitingCount(): number {
    return this.waiting.length;
  }

  private begin<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    this.taken += 1;
    let isHeld = true;
    const giveBack = () => {
      if (!isHeld) return;
      isHeld = false;
      clearTimeout(timer);
      this.taken -= 1;
      this.letBegin();
    };
    const timer = setTimeout(giveBack, this.options.heldMs);
    return ask().finally(giveBack);
  }

  private letBegin(): void {
    const { most, patienceMs, now } = this.options;
    while (this.taken < most) {
      const next = this.waiting.shift();
      if (!next) return;
      if (now() - next.sinceMs < patienceMs) next.begin();
      else next.refuse(new RequestFailedError('SERVICE_UNAVAILABLE', 'Too many questions wait for their turn'));
    }
  }
}
