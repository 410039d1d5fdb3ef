import { z } from 'zod';
import { jobIdSchema, timeSchema } from '../primitives.ts';
import { operatorReasonSchema } from './signed-command.ts';

/** Name of a webhook endpoint in the operator's file. */
export const webhookEndpointNameSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be a name such as shop-2')
  .describe("Name of the endpoint in the operator's file.");

/** One attempt to deliver a message, with the beginning of the endpoint's answer. */
const attemptSchema = z.object({
  at: timeSchema,
  outcome: z
    .string()
    .describe(
      '`delivered`, or the reason of the failure: `refused`, `gone`, `redirected`, `throttled`, `timeout`, `unreachable`, `certificate`, `private_address`.',
    ),
  status: z.number().int().optional().describe('HTTP status; absent if there was no answer.'),
  answer: z.string().describe('Beginning of the answer.'),
  tookMs: z.number().describe('Time that the attempt took, ms.'),
});

/** An endpoint as operators see it: its host only. The rest of its URL may be secret, and its secrets are. */
const endpointSchema = z.object({
  name: z.string().describe('Name of the endpoint.'),
  host: z
    .string()
    .optional()
    .describe('Absent if the file no longer names the endpoint: its messages are kept and not sent.'),
  since: timeSchema.describe('The endpoint receives events from this time on.'),
  waiting: z.number().int().describe('Messages that the endpoint has not accepted.'),
  oldestWaitingSince: timeSchema.optional(),
  failingSince: timeSchema.optional().describe('No attempt has succeeded since this time.'),
});
export type WebhookEndpoint = z.infer<typeof endpointSchema>;

/** Answer of `GET /operator/webhooks`. */
export const webhookEndpointsResponseSchema = z.object({
  endpoints: z.array(endpointSchema).describe('The endpoints.'),
});

const deliveryStateSchema = z.enum(['waiting', 'delivered']);

/** Filter of a list of deliveries, newest event first. */
export const webhookDeliveryFilterSchema = z.object({
  endpoint: webhookEndpointNameSchema.optional().describe('Name of the endpoint.'),
  state: deliveryStateSchema.optional().describe('State of the delivery.'),
  jobId: jobIdSchema.optional(),
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('Most entries of the page.'),
});

/** Query of `GET /operator/webhooks/deliveries`. */
export const webhookDeliveriesQuerySchema = webhookDeliveryFilterSchema.extend({
  reason: operatorReasonSchema.optional().describe('Reason, in a sentence.'),
});
export type WebhookDeliveriesQuery = z.infer<typeof webhookDeliveriesQuerySchema>;

/** A message for one endpoint. */
const deliverySchema = z.object({
  endpoint: z.string().describe('Name of the endpoint.'),
  eventId: z.string().describe('`webhook-id` of every attempt.'),
  type: z.string().describe('Type of the event.'),
  jobId: jobIdSchema,
  occurredAt: timeSchema,
  state: deliveryStateSchema.describe('State of the delivery.'),
  attempts: z.number().int().describe('Attempts since the message was recorded, or since its last redelivery.'),
  nextAttemptAt: timeSchema.optional().describe('Time of the next attempt; absent if the message was delivered.'),
  log: z.array(attemptSchema).describe('The latest attempts, oldest first.'),
});
export type WebhookDelivery = z.infer<typeof deliverySchema>;

/** Answer of `GET /operator/webhooks/deliveries`. */
export const webhookDeliveriesResponseSchema = z.object({
  deliveries: z.array(deliverySchema).describe('Messages for endpoints.'),
});

const oneMessage = {
  endpoint: webhookEndpointNameSchema,
  eventId: z.uuid().describe('Id of the event: `webhook-id`.'),
};
const allSince = { endpoint: webhookEndpointNameSchema, since: timeSchema };

/** Messages to deliver again to an endpoint: that of one event, or those of all events since a time. */
export const redeliverySchema = z.union([z.strictObject(oneMessage), z.strictObject(allSince)]);
export type Redelivery = z.infer<typeof redeliverySchema>;

/** Body of `POST /operator/webhooks/redeliver`. */
export const redeliverRequestSchema = z.union([
  z.strictObject({ ...oneMessage, reason: operatorReasonSchema }),
  z.strictObject({ ...allSince, reason: operatorReasonSchema }),
]);
export type RedeliverRequest = z.infer<typeof redeliverRequestSchema>;
