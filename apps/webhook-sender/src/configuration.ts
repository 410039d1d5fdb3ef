import { natsEnvironment } from '@maker/messaging';
import { mongoEnvironment } from '@maker/persistence';
import { ConfigurationError, commonEnvironment, tracingEnvironment } from '@maker/service-kit';
import { z } from 'zod';
import { type Nat64Prefix, readNat64Prefix } from './public-address.ts';

export const webhookEnvironment = z.object({
  ...commonEnvironment,
  ...tracingEnvironment,
  ...natsEnvironment,
  ...mongoEnvironment,
  /** JSON: `[{name, url, secrets, keys?, events?}]`. The service reloads it periodically, so you can change it in place. */
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
  /** Networks of your NAT64 translators beside the well-known one. */
  readonly translators: readonly Nat64Prefix[];
}

export const SENDING_RULES: SendingRules = { timeoutMs: 15_000, pollMs: 500, anyAddress: false, translators: [] };

export const SENDING = Symbol('SENDING');

/** Reads the arguments `--nat64-prefix`. @throws ConfigurationError naming a wrong one */
export function readTranslators(prefixes: readonly string[]): Nat64Prefix[] {
  return prefixes.map((text) => {
    const prefix = readNat64Prefix(text);
    if (prefix) return prefix;
    throw new ConfigurationError([
      `--nat64-prefix: ${text} is no IPv6 network of 32, 40, 48, 56, 64 or 96 bits, such as 64:ff9b:1::/96`,
    ]);
  });
}
