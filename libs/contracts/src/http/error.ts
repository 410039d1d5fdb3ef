import { z } from 'zod';

/** Every error answer of the API. Source: specification § 3 'Error body'. */
export const errorBodySchema = z.object({
  message: z.string().meta({
    description: 'A sentence for people.',
    examples: ['No job has the id job_0123456789abcdef0123456789abcdef'],
  }),
  error: z.string().meta({ description: 'Name of the status.', examples: ['Not Found'] }),
  statusCode: z
    .number()
    .int()
    .meta({ description: 'HTTP status.', examples: [404] }),
  code: z
    .string()
    .optional()
    .meta({ description: 'Stable name of the kind of error.', examples: ['JOB_NOT_FOUND'] }),
  requestId: z
    .string()
    .optional()
    .meta({
      description: 'Id of the request, as in the `X-Request-Id` header and in every log line.',
      examples: ['4f0c6a0e-5ad3-4f0c-9e6b-1f5f0a0d7c11'],
    }),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;
