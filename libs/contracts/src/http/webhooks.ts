import { z } from 'zod';
import { jobIdSchema, timeSchema } from '../primitives.ts';
import { operatorReasonSchema } from './signed-command.ts';

/** Name of an endpoint of webhooks, as the operator's file has it. */
export const webhookEndpointNameSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be a name such as shop-2')
  .describe('Name of the endpoint in the file of the operator.');

/** One attempt to deliver a message, and the beginning of what the endpoint answered. */
const attemptSchema = z.object({
  at: timeSchema,
  outcome: z
    .string()
    .describe(
      '`delivered`, or why not: `refused`, `gone`, `redirected`, `throttled`, `timeout`, `unreachable`, `certificate`, `private_address`.',
    ),
  status: z.number().int().optional().describe('HTTP status; absent where there was no answer.'),
  answer: z.string().describe('Beginning of the answer.'),
  tookMs: z.number().describe('Time that the attempt took, ms.'),
});

/** An endpoint as operators see it: its host, and neither the rest of its URL, which may be a secret, nor its secrets. */
const endpointSchema = z.object({
  name: z.string().describe('Name.'),
  host: z
    .string()
    .optional()
    .describe('Absent where no file names it any more: what waits for it is kept and not sent.'),
  since: timeSchema.describe('From when on it is told what happens.'),
  waiting: z.number().int().describe('Messages that it has not taken.'),
  oldestWaitingSince: timeSchema.optional(),
  failingSince: timeSchema.optional().describe('Since when no attempt has succeeded.'),
});
export type WebhookEndpoint = z.infer<typeof endpointSchema>;

/** Answer of `GET /operator/webhooks`. */
export const webhookEndpointsResponseSchema = z.object({
  endpoints: z.array(endpointSchema).describe('The endpoints.'),
});

const deliveryStateSchema = z.enum(['waiting', 'delivered']);

/** Which deliveries an operator asks for; newest event first. */
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
  attempts: z.number().int().describe('Begun since it was recorded, or wanted again.'),
  nextAttemptAt: timeSchema.optional().describe('Absent where it was delivered.'),
  log: z.array(attemptSchema).describe('The latest, oldest first.'),
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

/** What is delivered again to an endpoint: the message of one event, or of all that happened since a time. */
export const redeliverySchema = z.union([z.strictObject(oneMessage), z.strictObject(allSince)]);
export type Redelivery = z.infer<typeof redeliverySchema>;

/** Body of `POST /operator/webhooks/redeliver`. */
export const redeliverRequestSchema = z.union([
  z.strictObject({ ...oneMessage, reason: operatorReasonSchema }),
  z.strictObject({ ...allSince, reason: operatorReasonSchema }),
]);
export type RedeliverRequest = z.infer<typeof redeliverRequestSchema>;
