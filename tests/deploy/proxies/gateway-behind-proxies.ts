import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXECUTION_CHANGES_SUBJECT, type ExecutionChanges } from '@maker/contracts';
import { startNats } from '@maker/local-stack';
import { NATS_CONNECTION } from '@maker/messaging';
import { MetricsRegistry, Readiness } from '@maker/service-kit';
import type { NatsConnection } from '@nats-io/transport-node';
import { createGateway, writeApiKeys } from '../../../apps/api-gateway/src/gateway.fixture.ts';
import { JOB_ID, paymentFixture } from '../../../apps/api-gateway/src/service-answers.fixture.ts';
import { services } from '../../../apps/api-gateway/src/services.fixture.ts';
import { startServices } from '../../../apps/api-gateway/src/start-services.fixture.ts';

/** Key of the pages. */
export const API_KEY = 'the-key-that-every-page-sends';

/** A real gateway on a real NATS, with fixed answers instead of other services. */
export interface GatewayBehindProxies {
  readonly port: number;
  /** Publishes a payment, and waits until the gateway has it. */
  pay(receivedWei: string): Promise<void>;
  metrics(): Promise<string>;
  stop(): Promise<void>;
}

/** @param origin of the pages that may call the API */
export async function startGatewayBehindProxies(origin: string): Promise<GatewayBehindProxies> {
  const folder = await mkdtemp(join(tmpdir(), 'maker-gateway-'));
  const keysFile = writeApiKeys(folder, [{ key: API_KEY, name: 'web', scopes: ['public'] }]);
  const broker = await startNats();
  const others = await startServices(broker.url);
  const app = await createGateway({ NATS_URL: broker.url, API_KEYS_FILE: keysFile, CORS_ORIGINS: origin });
  await app.listen(0, '127.0.0.1');
  app.get(Readiness, { strict: false }).started();
  return {
    port: (app.getHttpServer().address() as AddressInfo).port,
    async pay(receivedWei) {
      services.payment = paymentFixture({ receivedWei });
      const message: ExecutionChanges = { jobIds: [JOB_ID] };
      const connection = app.get<NatsConnection>(NATS_CONNECTION, { strict: false });
      connection.publish(EXECUTION_CHANGES_SUBJECT, JSON.stringify(message));
      // The gateway subscribes on this connection, so the message has arrived when the flush returns.
      await connection.flush();
    },
    metrics: () => app.get(MetricsRegistry, { strict: false }).metrics(),
    async stop() {
      await app.close();
      await others.close();
      await broker.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
