import { z } from 'zod';

/** Every error answer of the API. Source: specification § 3 'Error body'. */
export const errorBodySchema = z.object({
  /** A sentence for people. */
  message: z.string(),
  /** The status's name, such as 'Not Found'. */
  error: z.string(),
  statusCode: z.number().int(),
  /** Stable name of the kind of error, such as `TOKEN_NOT_TRADABLE`. */
  code: z.string().optional(),
  /** Id of the request, as in the `X-Request-Id` header and in every log line. */
  requestId: z.string().optional(),
});
export type ErrorBody = z.infer<typeof errorBodySchema>;
