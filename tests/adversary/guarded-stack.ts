import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ALL_SERVICES, type RunningStack, type ServiceName, type StackOptions } from '@maker/local-stack';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { type GuardedServer, passwordOf, startGuardedNats } from '../support/guarded-servers.ts';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';

/** A stack whose services have users of NATS as in production, with the rights of such a user for an attacker. */
export class GuardedStack {
  private readonly connections = new Map<ServiceName, Promise<NatsConnection>>();

  private constructor(
    private readonly folder: string,
    private readonly nats: GuardedServer & { readonly url: string },
    readonly running: RunningStack,
    /** An independent reader of the chain, by another endpoint than the services'. */
    readonly product: ProductClient,
  ) {}

  /**
   * @param windowSeconds over which orders of a job are spread
   * @param more changes to the services' environment @param reach proxies between services and a server
   */
  static async start(
    windowSeconds: number,
    more: NonNullable<StackOptions['environment']> = {},
    reach?: StackOptions['reach'],
  ): Promise<GuardedStack> {
    const folder = await mkdtemp(join(tmpdir(), 'maker-guarded-'));
    const nats = await startGuardedNats();
    const environment: NonNullable<StackOptions['environment']> = {};
    for (const service of ALL_SERVICES) {
      const NATS_PASSWORD_FILE = join(folder, `${service}.password`);
      await writeFile(NATS_PASSWORD_FILE, passwordOf(service), { mode: 0o400 });
      environment[service] = { NATS_URL: nats.url, NATS_PASSWORD_FILE, ...more[service] };
    }
    try {
      const running = await startOwnStack(windowSeconds, environment, {}, reach ? { reach } : {});
      const product = new ProductClient({ ...running.stack, rpcUrl: running.stack.chainControlUrl });
      return new GuardedStack(folder, nats, running, product);
    } catch (error) {
      await nats.stop();
      throw error;
    }
  }

  /** A connection with a service's NATS user, open until the end. */
  as(service: ServiceName): Promise<NatsConnection> {
    const known = this.connections.get(service);
    if (known) return known;
    const credentials = { user: service, pass: passwordOf(service), inboxPrefix: `_INBOX.${service}` };
    const connection = connect({ servers: this.nats.url, ...credentials });
    this.connections.set(service, connection);
    return connection;
  }

  async stop(): Promise<void> {
    for (const connection of this.connections.values()) await (await connection).close();
    await this.running.stop();
    await this.nats.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
