import { natsEnvironment } from '@maker/messaging';
import { mongoEnvironment } from '@maker/persistence';
import { commonEnvironment, tracingEnvironment } from '@maker/service-kit';
import { z } from 'zod';

/** Environment of this service. */
export const webhookEnvironment = z.object({
  ...commonEnvironment,
  ...tracingEnvironment,
  ...natsEnvironment,
  ...mongoEnvironment,
  /** JSON: `[{name, url, secrets}]`. Read again and again, so that it may change in place. */
  WEBHOOK_ENDPOINTS_FILE: z.string(),
  /** Time that an endpoint has for its answer. */
  WEBHOOK_TIMEOUT_SECONDS: z.coerce.number().positive().max(25).default(15),
  /** `allowed` on one machine alone: endpoints at any address, and by plain HTTP. */
  WEBHOOK_PRIVATE_ADDRESSES: z.enum(['refused', 'allowed']).default('refused'),
});

/** What {@link webhookEnvironment} parses to. */
export type WebhookConfiguration = z.infer<typeof webhookEnvironment>;

/** Injection token of the {@link WebhookConfiguration}. */
export const WEBHOOK_CONFIGURATION = Symbol('WEBHOOK_CONFIGURATION');
