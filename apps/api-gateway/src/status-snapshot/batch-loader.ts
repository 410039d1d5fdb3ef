import { AsyncLocalStorage } from 'node:async_hooks';

/** How {@link BatchLoader} are asked. */
export interface GatheredQuestionsOptions<Answer> {
  readonly one: (key: string, timeoutMs: number) => Promise<Answer>;
  /** Several at once; an answer may be left out, and is asked for by itself then. */
  readonly many: (keys: readonly string[], timeoutMs: number) => Promise<ReadonlyMap<string, Answer>>;
  /** Keys of one question. */
  readonly most: number;
}

interface Waiting<Answer> {
  readonly key: string;
  readonly timeoutMs: number;
  readonly resolve: (answer: Answer | Promise<Answer>) => void;
  readonly reject: (reason: unknown) => void;
  /** By itself, on behalf of whoever waits. */
  readonly askOne: () => Promise<Answer>;
}

/** Questions that come in one turn of the event loop are asked as one: many cost whoever answers little more than one does. */
export class BatchLoader<Answer> {
  private gathered: Waiting<Answer>[] = [];

  constructor(private readonly options: GatheredQuestionsOptions<Answer>) {}

  /**
   * The answer for one key. Together with others it is waited for as long as the one with the least time may wait.
   * @throws what the question for it, or for all that it was asked with, fails with
   */
  ask(key: string, timeoutMs: number): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const askOne = AsyncLocalStorage.bind(() => this.options.one(key, timeoutMs));
      this.gathered.push({ key, timeoutMs, resolve, reject, askOne });
      if (this.gathered.length === 1) setImmediate(() => this.askAll());
    });
  }

  private askAll(): void {
    const { most } = this.options;
    const waiting = this.gathered;
    this.gathered = [];
    for (let from = 0; from < waiting.length; from += most) void this.askFor(waiting.slice(from, from + most));
  }

  private async askFor(waiting: readonly Waiting<Answer>[]): Promise<void> {
    const [only, another] = waiting;
    if (only && !another) return only.resolve(only.askOne());
    try {
      const keys = new Set(waiting.map(({ key }) => key));
      const answers = await this.options.many([...keys], Math.min(...waiting.map(({ timeoutMs }) => timeoutMs)));
      for (const { key, resolve, askOne } of waiting) resolve(answers.get(key) ?? askOne());
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}
