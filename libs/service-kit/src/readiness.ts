import { withinTime } from './within-time.ts';

/** Throws, or rejects, with the reason why the service cannot work now. */
export type ReadinessCheck = () => void | Promise<void>;

/** Time limit of a check, ms: a client of /readyz does not wait long either. */
const CHECK_MS = 1500;

/** The content of /readyz. */
export interface ReadinessReport {
  readonly ready: boolean;
  /** Reason of each failing check. */
  readonly failing: Readonly<Record<string, string>>;
}

/** Whether a service can take work: every dependency is connected, and no shutdown has begun. */
export class Readiness {
  private readonly checks = new Map<string, ReadinessCheck>();
  private phase: 'starting' | 'started' | 'draining' = 'starting';

  /** Adds a condition under a name such as 'mongo'. */
  add(name: string, check: ReadinessCheck): void {
    this.checks.set(name, check);
  }

  /** Call when all modules are up: from then on the checks decide. */
  started(): void {
    this.phase = 'started';
  }

  /** Makes the service not ready: load balancers send new work elsewhere while it finishes its own. */
  drain(): void {
    this.phase = 'draining';
  }

  /** Whether a shutdown has begun. */
  get draining(): boolean {
    return this.phase === 'draining';
  }

  async report(): Promise<ReadinessReport> {
    if (this.phase === 'starting') return { ready: false, failing: { start: 'the service is starting' } };
    if (this.phase === 'draining') return { ready: false, failing: { shutdown: 'the service is shutting down' } };
    const failing: Record<string, string> = {};
    await Promise.all(
      [...this.checks].map(async ([name, check]) => {
        try {
          await withinTime(CHECK_MS, check);
        } catch (error) {
          failing[name] = error instanceof Error ? error.message : String(error);
        }
      }),
    );
    return { ready: Object.keys(failing).length === 0, failing };
  }
}
