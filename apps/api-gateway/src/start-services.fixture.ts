import { connectionOptions } from '@maker/messaging';
import { startServer } from '@maker/messaging/testing';
import { type INestMicroservice, Module } from '@nestjs/common';
import { OperatorServices } from './operator-services.fixture.ts';
import { services } from './services.fixture.ts';
import { VisitorServices } from './visitor-services.fixture.ts';

@Module({ controllers: [VisitorServices, OperatorServices] })
class ServiceDoublesModule {}

/** Starts fakes of the other services, on a real NATS server. */
export function startServices(natsUrl: string): Promise<INestMicroservice> {
  services.reset();
  const options = { ...connectionOptions('services', { NATS_URL: [natsUrl] }), queue: 'services' };
  return startServer(ServiceDoublesModule, options);
}
