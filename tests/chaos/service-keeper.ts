import type { RunningStack, ServiceName } from '@maker/local-stack';
import { until } from '../support/until.ts';
import type { Arming } from './fail-points/arming.ts';

/** Restarts each service when it dies, as a cluster would, and knows which deaths no test caused. */
export class ServiceKeeper {
  /** Deaths without a cause in the test. */
  readonly unexplained: string[] = [];
  private readonly up: Set<ServiceName>;
  private readonly killed = new Set<ServiceName>();
  private closing = false;
  private keeping: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly running: RunningStack,
    private readonly arming: Arming,
    private readonly services: readonly ServiceName[],
  ) {
    this.up = new Set(services);
  }

  start(): void {
    this.keeping = Promise.all(this.services.map((service) => this.keep(service)));
  }

  /** Kills a service by SIGKILL. @returns false if it is dead already */
  async kill(service: ServiceName): Promise<boolean> {
    if (!this.up.delete(service)) return false;
    this.killed.add(service);
    await this.running.kill(service, 'SIGKILL');
    return true;
  }

  /** Waits until every service is ready. */
  async allUp(): Promise<void> {
    await until(
      'all services to be ready again',
      async () => this.services.filter((service) => !this.up.has(service)),
      (missing) => missing.length === 0,
      { timeoutMs: 120_000 },
    );
  }

  /** Called before the stack is stopped: services then stay down. @returns when the stack has stopped */
  async stop(): Promise<void> {
    this.closing = true;
    await this.running.stop();
    await this.keeping;
  }

  private async keep(service: ServiceName): Promise<void> {
    let known = this.arming.deaths(service).length;
    for (;;) {
      await this.running.ended(service);
      this.up.delete(service);
      if (this.closing) return;
      const deaths = this.arming.deaths(service).length;
      if (deaths === known && !this.killed.delete(service)) this.unexplained.push(`${service} ended without a kill`);
      known = deaths;
      const failure = await this.running.restart(service).catch((error: unknown) => error);
      if (this.closing) return;
      if (failure === undefined) this.up.add(service);
      else if (this.arming.deaths(service).length === known) this.unexplained.push(String(failure));
    }
  }
}
