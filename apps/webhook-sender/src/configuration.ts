import { natsEnvironment } from '@maker/messaging';
import { mongoEnvironment } from '@maker/persistence';
import { commaList, commonEnvironment, tracingEnvironment } from '@maker/service-kit';
import { z } from 'zod';
import { readNat64Prefix } from './address/public-address.ts';

export const webhookEnvironment = z.object({
  ...commonEnvironment,
  ...tracingEnvironment,
  ...natsEnvironment,
  ...mongoEnvironment,
  /** JSON: `[{name, url, secrets}]`. The service reloads it periodically, so you can change it in place. */
  WEBHOOK_ENDPOINTS_FILE: z.string(),
  /** Networks of your NAT64 translators, such as `64:ff9b:1::/96`, beside the well-known `64:ff9b::/96`. */
  WEBHOOK_NAT64_PREFIXES: commaList.default([]).transform((texts, context) =>
    texts.flatMap((text) => {
      const prefix = readNat64Prefix(text);
      if (!prefix) context.addIssue('must be IPv6 networks of 32, 40, 48, 56, 64 or 96 bits, such as 64:ff9b:1::/96');
      return prefix ? [prefix] : [];
    }),
  ),
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
