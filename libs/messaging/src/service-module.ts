import type { EventSource } from '@maker/contracts';
import { PersistenceModule } from '@maker/persistence';
import { ServiceKitModule, type ServiceKitOptions } from '@maker/service-kit';
import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import type { Logger } from 'pino';
import type { NatsConfiguration } from './connection/nats-configuration.ts';
import { EventsModule } from './event/events.module.ts';
import { MessagingModule } from './messaging.module.ts';

/** The parts of a service. */
interface ServiceParts extends Pick<ModuleMetadata, 'controllers' | 'providers'> {
  /** URL of its own database, if it has one. */
  readonly mongoUrl?: string;
  /** Present if it uses events: its name as a source, or null if it records none. */
  readonly events?: EventSource | null;
  /** Default time limit of its requests, ms. */
  readonly requestTimeoutMs?: number;
}

@Module({})
class ServiceModule {}

/** Creates the root module of a service: its parts, and the modules of every service. */
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
