import { natsEnvironment } from '@maker/messaging';
import { mongoEnvironment } from '@maker/persistence';
import { commonEnvironment, tracingEnvironment } from '@maker/service-kit';
import { z } from 'zod';

export const webhookEnvironment = z.object({
  ...commonEnvironment,
  ...tracingEnvironment,
  ...natsEnvironment,
  ...mongoEnvironment,
  /** JSON: `[{name, url, secrets}]`. The service reloads it periodically, so you can change it in place. */
  WEBHOOK_ENDPOINTS_FILE: z.string(),
});

export type WebhookConfiguration = z.infer<typeof webhookEnvironment>;

export const WEBHOOK_CONFIGURATION = Symbol('WEBHOOK_CONFIGURATION');

export interface SendingRules {
  /** Timeout of an endpoint's answer, ms. */
  readonly timeoutMs: number;
  /** Time between two polls for due messages, ms. */
  readonly pollMs: number;
  /** Allows endpoints at any address and with plain HTTP: only for use on one machine. */
  readonly anyAddress: boolean;
}

export const SENDING_RULES: SendingRules = { timeoutMs: 15_000, pollMs: 500, anyAddress: false };

export const SENDING = Symbol('SENDING');
