import type { EventSource } from '@maker/contracts';
import { PersistenceModule } from '@maker/persistence';
import { ServiceKitModule, type ServiceKitOptions } from '@maker/service-kit';
import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import type { Logger } from 'pino';
import type { NatsConfiguration } from './connection/nats-configuration.ts';
import { EventsModule } from './event/events.module.ts';
import { MessagingModule } from './messaging.module.ts';

/** What a service is made of. */
interface ServiceParts extends Pick<ModuleMetadata, 'controllers' | 'providers'> {
  /** Of its own database, where it has one. */
  readonly mongoUrl?: string;
  /** Where it takes part in events: the source that it is of them, or null where it records none. */
  readonly events?: EventSource | null;
  /** How long its requests wait for an answer where they do not say, ms. */
  readonly requestTimeoutMs?: number;
}

@Module({})
class ServiceModule {}

/** A service, wired: its parts with what every service has. */
export function serviceModule(
  service: string,
  configuration: ServiceKitOptions['configuration'] & NatsConfiguration,
  logger: Logger,
  { mongoUrl, events, requestTimeoutMs, controllers = [], providers = [] }: ServiceParts,
): DynamicModule {
  return {
    module: ServiceModule,
    imports: [
      ServiceKitModule.forRoot({ service, configuration, logger }),
      ...(mongoUrl === undefined ? [] : [PersistenceModule.forRoot({ url: mongoUrl })]),
      MessagingModule.forRoot({ service, nats: configuration, requestTimeoutMs }),
      ...(events === undefined ? [] : [EventsModule.forRoot(events ?? undefined)]),
    ],
    controllers,
    providers,
  };
}
