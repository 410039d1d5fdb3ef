import { serviceModule } from '@maker/messaging';
import type { DynamicModule } from '@nestjs/common';
import type { Logger } from 'pino';
import {
  SENDING,
  SENDING_RULES,
  type SendingRules,
  WEBHOOK_CONFIGURATION,
  type WebhookConfiguration,
} from './configuration.ts';
import { DeliveriesRepository } from './delivery/deliveries.repository.ts';
import { EndpointsRepository } from './endpoint/endpoints.repository.ts';
import { WatchedEndpoints } from './endpoint/watched-endpoints.ts';
import { OperateWebhooksHandler } from './operate/operate-webhooks.handler.ts';
import { RecordEventHandler } from './record-event/record-event.handler.ts';
import { SendDeliveriesService } from './send-deliveries/send-deliveries.service.ts';
import { WebhookMetrics } from './webhook.metrics.ts';

/** Name of this service: its queue group, its durable consumer, its label in logs and metrics. */
export const SERVICE = 'webhook-sender';

export function webhookSenderModule(
  configuration: WebhookConfiguration,
  logger: Logger,
  rules: SendingRules = SENDING_RULES,
): DynamicModule {
  return serviceModule(SERVICE, configuration, logger, {
    mongoUrl: configuration.MONGO_URL,
    // This service records no events.
    events: null,
    controllers: [OperateWebhooksHandler],
    providers: [
      { provide: WEBHOOK_CONFIGURATION, useValue: configuration },
      { provide: SENDING, useValue: rules },
      WebhookMetrics,
      EndpointsRepository,
      DeliveriesRepository,
      WatchedEndpoints,
      RecordEventHandler,
      SendDeliveriesService,
    ],
  });
}
