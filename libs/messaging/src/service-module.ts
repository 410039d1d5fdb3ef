import type { EventSource } from '@maker/contracts';
import { PersistenceModule } from '@maker/persistence';
import { ServiceKitModule, type ServiceKitOptions } from '@maker/service-kit';
import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import type { NatsConfiguration } from './connection/nats-configuration.ts';
import { EventsModule } from './event/events.module.ts';
import { MessagingModule } from './messaging.module.ts';

/** What a service is made of. */
export interface ServiceParts extends ServiceKitOptions, Pick<ModuleMetadata, 'controllers' | 'providers'> {
  readonly configuration: ServiceKitOptions['configuration'] & NatsConfiguration;
  /** Of its own database, where it has one. */
  readonly mongoUrl?: string;
  /** Where it takes part in events: the source that it is of them, or null where it records none. */
  readonly events?: EventSource | null;
}

@Module({})
class ServiceModule {}

/** A service, wired: its parts with what every service has. */
export function serviceModule({
  mongoUrl,
  events,
  controllers = [],
  providers = [],
  ...kit
}: ServiceParts): DynamicModule {
  return {
    module: ServiceModule,
    imports: [
      ServiceKitModule.forRoot(kit),
      ...(mongoUrl === undefined ? [] : [PersistenceModule.forRoot({ url: mongoUrl })]),
      MessagingModule.forRoot({ service: kit.service, nats: kit.configuration }),
      ...(events === undefined ? [] : [EventsModule.forRoot(events ?? undefined)]),
    ],
    controllers,
    providers,
  };
}
