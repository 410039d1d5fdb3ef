import { AsyncLocalStorage } from 'node:async_hooks';

/** Options of a {@link BatchLoader}. */
export interface BatchLoaderOptions<Answer> {
  readonly one: (key: string, timeoutMs: number) => Promise<Answer>;
  /** Loads several keys. A missing answer is loaded alone afterwards. */
  readonly many: (keys: readonly string[], timeoutMs: number) => Promise<ReadonlyMap<string, Answer>>;
  /** Most keys of one batch. */
  readonly most: number;
}

interface Waiting<Answer> {
  readonly key: string;
  readonly timeoutMs: number;
  readonly resolve: (answer: Answer | Promise<Answer>) => void;
  readonly reject: (reason: unknown) => void;
  /** Loads the key alone, in the context of its caller. */
  readonly loadOne: () => Promise<Answer>;
}

/** Loads the keys of one turn of the event loop in one batch, which costs the service little more than one key. */
export class BatchLoader<Answer> {
  private waiting: Waiting<Answer>[] = [];

  constructor(private readonly options: BatchLoaderOptions<Answer>) {}

  /**
   * Loads one key. A batch has the shortest timeout of its keys.
   * @throws the failure of the key, or of its batch
   */
  load(key: string, timeoutMs: number): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const loadOne = AsyncLocalStorage.bind(() => this.options.one(key, timeoutMs));
      this.waiting.push({ key, timeoutMs, resolve, reject, loadOne });
      if (this.waiting.length === 1) setImmediate(() => this.loadAll());
    });
  }

  private loadAll(): void {
    const { most } = this.options;
    const waiting = this.waiting;
    this.waiting = [];
    for (let from = 0; from < waiting.length; from += most) void this.loadTogether(waiting.slice(from, from + most));
  }

  private async loadTogether(waiting: readonly Waiting<Answer>[]): Promise<void> {
    const [only, another] = waiting;
    if (only && !another) return only.resolve(only.loadOne());
    try {
      const keys = new Set(waiting.map(({ key }) => key));
      const answers = await this.options.many([...keys], Math.min(...waiting.map(({ timeoutMs }) => timeoutMs)));
      for (const { key, resolve, loadOne } of waiting) resolve(answers.get(key) ?? loadOne());
    } catch (error) {
      for (const { reject } of waiting) reject(error);
    }
  }
}
