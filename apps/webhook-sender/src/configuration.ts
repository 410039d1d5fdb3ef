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
});

export type WebhookConfiguration = z.infer<typeof webhookEnvironment>;

/** Injection token. */
export const WEBHOOK_CONFIGURATION = Symbol('WEBHOOK_CONFIGURATION');

/** How messages are sent. */
export interface SendingRules {
  /** Time that an endpoint has for its answer, ms. */
  readonly timeoutMs: number;
  /** Endpoints at any address, and by plain HTTP: on one machine alone. */
  readonly anyAddress: boolean;
}

/** The rules of an installation. */
export const SENDING_RULES: SendingRules = { timeoutMs: 15_000, anyAddress: false };

/** Injection token. */
export const SENDING = Symbol('SENDING');
