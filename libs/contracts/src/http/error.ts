import { z } from 'zod';

/** Every error answer of the API. Source: specification § 3 'Error body'. */
export const errorBodySchema = z.object({
  message: z.string().describe('A sentence for people.'),
  error: z.string().describe("The status's name, such as 'Not Found'."),
  statusCode: z.number().int().describe('HTTP status.'),
  code: z.string().optional().describe('Stable name of the kind of error, such as `TOKEN_NOT_TRADABLE`.'),
  requestId: z
    .string()
    .optional()
    .describe('Id of the request, as in the `X-Request-Id` header and in every log line.'),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;
