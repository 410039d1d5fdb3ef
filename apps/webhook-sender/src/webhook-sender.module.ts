import { EventsModule, MessagingModule } from '@maker/messaging';
import { PersistenceModule } from '@maker/persistence';
import { ServiceKitModule } from '@maker/service-kit';
import { type DynamicModule, Module } from '@nestjs/common';
import type { Logger } from 'pino';
import { WEBHOOK_CONFIGURATION, type WebhookConfiguration } from './configuration.ts';
import { DeliveriesRepository } from './delivery/deliveries.repository.ts';
import { EndpointsRepository } from './endpoint/endpoints.repository.ts';
import { WatchedEndpoints } from './endpoint/watched-endpoints.ts';
import { OperateWebhooksHandler } from './operate/operate-webhooks.handler.ts';
import { RecordEventHandler } from './record-event/record-event.handler.ts';
import { SendDeliveriesService } from './send-deliveries/send-deliveries.service.ts';
import { WebhookMetrics } from './webhook.metrics.ts';

/** Name of this service: its queue group, its durable consumer, its label in logs and metrics. */
export const SERVICE = 'webhook-sender';

@Module({})
class WebhookSenderModule {}

/** The webhook-sender service, wired. */
export function webhookSenderModule(configuration: WebhookConfiguration, logger: Logger): DynamicModule {
  return {
    module: WebhookSenderModule,
    imports: [
      ServiceKitModule.forRoot({ service: SERVICE, configuration, logger }),
      PersistenceModule.forRoot({ url: configuration.MONGO_URL }),
      MessagingModule.forRoot({ service: SERVICE, nats: configuration }),
      // It records no events of its own.
      EventsModule.forRoot(undefined),
    ],
    controllers: [OperateWebhooksHandler],
    providers: [
      { provide: WEBHOOK_CONFIGURATION, useValue: configuration },
      WebhookMetrics,
      EndpointsRepository,
      DeliveriesRepository,
      WatchedEndpoints,
      RecordEventHandler,
      SendDeliveriesService,
    ],
  };
}
