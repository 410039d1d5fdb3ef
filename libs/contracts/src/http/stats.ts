import { z } from 'zod';

/** Answer of `GET /stats`. Source: specification § 3. */
export const statsResponseSchema = z.object({
  jobs: z.object({ active: z.number().int().nonnegative().describe('Jobs that trade now.') }).describe('Jobs.'),
  latestJob: z
    .object({ tokenAddress: z.string().describe('Address of the token.') })
    .optional()
    .describe('The newest job.'),
});
export type StatsResponse = z.infer<typeof statsResponseSchema>;

/** Answer of `GET /healthz`, which needs no API key. */
export const healthResponseSchema = z.object({
  status: z.enum(['ok', 'unavailable']).describe('Whether the API can work.'),
});
export type HealthResponse = z.infer<typeof healthResponseSchema>;
