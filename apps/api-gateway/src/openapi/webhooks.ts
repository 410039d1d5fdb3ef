import { jobCreatorSchema, jobIdSchema, timeSchema, WEBHOOK_EVENTS, WITHHELD_FROM_WEBHOOKS } from '@maker/contracts';
import { z } from 'zod';
import { messageExample } from './examples.ts';
import { jsonSchema, type NamedSchemas } from './named-schemas.ts';

const text = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

/** Headers of Standard Webhooks. */
const HEADERS = [
  text('webhook-id', 'Id of the event. A repeated message has the same id.', '4f0c6a0e-5ad3-4f0c-9e6b-1f5f0a0d7c11'),
  text('webhook-timestamp', 'Time of the attempt, in seconds since 1970.', '1767225600'),
  text('webhook-signature', 'Signatures, one for each secret.', 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='),
];

/** The messages that webhook-sender posts, by type. */
export function webhooks(tag: string, named: NamedSchemas): Record<string, unknown> {
  return Object.fromEntries(
    WEBHOOK_EVENTS.map(({ contract: { type, data }, summary }) => {
      const fields = Object.fromEntries(
        Object.entries(data.shape).filter(([name]) => !WITHHELD_FROM_WEBHOOKS.includes(name)),
      );
      const message = z.object({
        type: z.literal(type).describe('Type of the event.'),
        timestamp: timeSchema.describe('Time of the event.'),
        data: z.object({ jobId: jobIdSchema, ...jobCreatorSchema.shape, ...fields }).describe('Data of the event.'),
      });
      const schema = named.define(messageName(type), summary, jsonSchema(message));
      return [type, { post: operation(type, summary, tag, { schema, example: messageExample(type) }) }];
    }),
  );
}

/** Name of the messages of a type, such as `JobCreatedMessage`. */
const messageName = (type: string) =>
  `${type
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')}Message`;

const operation = (type: string, summary: string, tag: string, content: object) => ({
  operationId: `webhook.${type}`,
  tags: [tag],
  summary: summary.replace(/\.$/, ''),
  description: summary,
  security: [],
  parameters: HEADERS,
  requestBody: { required: true, content: { 'application/json': content } },
  responses: {
    '2XX': { description: 'You accepted the message.' },
    '4XX': { description: 'You did not accept the message; it is sent again.' },
  },
});
