import { addressSchema } from '@maker/contracts';
import { natsEnvironment } from '@maker/messaging';
import { mongoEnvironment } from '@maker/persistence';
import { commaList, commonEnvironment, tracingEnvironment } from '@maker/service-kit';
import { z } from 'zod';

/** Environment of the API gateway. */
export const gatewayEnvironment = z.object({
  ...commonEnvironment,
  ...tracingEnvironment,
  ...natsEnvironment,
  /** The gateway's own database, where replicas count rate limits together; without it, each replica counts alone. */
  MONGO_URL: mongoEnvironment.MONGO_URL.optional(),
  HTTP_PORT: z.coerce.number().int().min(0).max(65_535),
  /** JSON file `[{ name, sha256, scopes }]`; see access/api-keys.ts. */
  API_KEYS_FILE: z.string(),
  /**
   * Addresses of the keys with which the job service signs agreements, separated by commas: the current one, and another one while you
   * change the key. Source: docs/adr/0145.
   */
  JOB_AGREEMENT_SIGNERS: commaList.pipe(z.array(addressSchema).min(1)),
  /** Origins of pages that may call the API, such as 'https://bot.example'; none by default. */
  CORS_ORIGINS: commaList.default([]),
  /** Most requests of one API key from one address to one route within a minute; for unknown tokens a tenth of it. */
  RATE_LIMIT_REQUESTS: z.coerce.number().int().positive().default(600),
  /** Addresses or networks of proxies whose X-Forwarded-For the gateway trusts; none by default. */
  HTTP_TRUSTED_PROXIES: commaList.default([]),
});

export type GatewayConfiguration = z.infer<typeof gatewayEnvironment>;

export const GATEWAY_CONFIGURATION = Symbol('GATEWAY_CONFIGURATION');

/** Timeout of requests to other services, ms. */
export const REQUEST_TIMEOUT_MS = 5000;

/** Injection token of that timeout: specs of silent services use a shorter one. */
export const REQUEST_TIMEOUT = Symbol('REQUEST_TIMEOUT');
