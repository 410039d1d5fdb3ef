import { z } from 'zod';
import { jobIdSchema, timeSchema } from '../primitives.ts';
import { operatorReasonSchema } from './signed-command.ts';

/** Name of an endpoint of webhooks, as the operator's file has it. */
export const webhookEndpointNameSchema = z.string().regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be a name such as shop-2');

/** One attempt to deliver a message, and the beginning of what the endpoint answered. */
const attemptSchema = z.object({
  at: timeSchema,
  /** `delivered`, or why not: `refused`, `gone`, `redirected`, `throttled`, `timeout`, `unreachable`, `certificate`, `private_address`. */
  outcome: z.string(),
  /** HTTP status; absent where there was no answer. */
  status: z.number().int().optional(),
  answer: z.string(),
  tookMs: z.number(),
});

/** An endpoint as operators see it: its host, and neither the rest of its URL, which may be a secret, nor its secrets. */
const endpointSchema = z.object({
  name: z.string(),
  /** Absent where no file names it any more: what waits for it is kept and not sent. */
  host: z.string().optional(),
  /** From when on it is told what happens. */
  since: timeSchema,
  /** Messages that it has not taken. */
  waiting: z.number().int(),
  oldestWaitingSince: timeSchema.optional(),
  /** Since when no attempt has succeeded. */
  failingSince: timeSchema.optional(),
});
export type WebhookEndpoint = z.infer<typeof endpointSchema>;

/** Answer of `GET /operator/webhooks`. */
export const webhookEndpointsResponseSchema = z.object({ endpoints: z.array(endpointSchema) });

const deliveryStateSchema = z.enum(['waiting', 'delivered']);

/** Which deliveries an operator asks for; newest event first. */
export const webhookDeliveryFilterSchema = z.object({
  endpoint: webhookEndpointNameSchema.optional(),
  state: deliveryStateSchema.optional(),
  jobId: jobIdSchema.optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20),
});

/** Query of `GET /operator/webhooks/deliveries`. */
export const webhookDeliveriesQuerySchema = webhookDeliveryFilterSchema.extend({
  reason: operatorReasonSchema.optional(),
});
export type WebhookDeliveriesQuery = z.infer<typeof webhookDeliveriesQuerySchema>;

/** A message for one endpoint. */
const deliverySchema = z.object({
  endpoint: z.string(),
  /** `webhook-id` of every attempt. */
  eventId: z.string(),
  type: z.string(),
  jobId: jobIdSchema,
  occurredAt: timeSchema,
  state: deliveryStateSchema,
  /** Begun since it was recorded, or wanted again. */
  attempts: z.number().int(),
  /** Absent where it was delivered. */
  nextAttemptAt: timeSchema.optional(),
  /** The latest, oldest first. */
  log: z.array(attemptSchema),
});
export type WebhookDelivery = z.infer<typeof deliverySchema>;

/** Answer of `GET /operator/webhooks/deliveries`. */
export const webhookDeliveriesResponseSchema = z.object({ deliveries: z.array(deliverySchema) });

const oneMessage = { endpoint: webhookEndpointNameSchema, eventId: z.uuid() };
const allSince = { endpoint: webhookEndpointNameSchema, since: timeSchema };

/** What is delivered again to an endpoint: the message of one event, or of all that happened since a time. */
export const redeliverySchema = z.union([z.strictObject(oneMessage), z.strictObject(allSince)]);
export type Redelivery = z.infer<typeof redeliverySchema>;

/** Body of `POST /operator/webhooks/redeliver`. */
export const redeliverRequestSchema = z.union([
  z.strictObject({ ...oneMessage, reason: operatorReasonSchema }),
  z.strictObject({ ...allSince, reason: operatorReasonSchema }),
]);
export type RedeliverRequest = z.infer<typeof redeliverRequestSchema>;
