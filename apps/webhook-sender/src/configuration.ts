import { natsEnvironment } from '@maker/messaging';
import { mongoEnvironment } from '@maker/persistence';
import { commonEnvironment, tracingEnvironment } from '@maker/service-kit';
import { z } from 'zod';

export const webhookEnvironment = z.object({
  ...commonEnvironment,
  ...tracingEnvironment,
  ...natsEnvironment,
  ...mongoEnvironment,
  /** JSON: `[{name, url, secrets}]`. Read again and again, so that it may change in place. */
  WEBHOOK_ENDPOINTS_FILE: z.string(),
});

export type WebhookConfiguration = z.infer<typeof webhookEnvironment>;

export const WEBHOOK_CONFIGURATION = Symbol('WEBHOOK_CONFIGURATION');

export interface SendingRules {
  /** Time that an endpoint has for its answer, ms. */
  readonly timeoutMs: number;
  /** Endpoints at any address, and by plain HTTP: on one machine alone. */
  readonly anyAddress: boolean;
}

export const SENDING_RULES: SendingRules = { timeoutMs: 15_000, anyAddress: false };

export const SENDING = Symbol('SENDING');
