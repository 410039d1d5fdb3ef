import { z } from 'zod';

/** Answer of `GET /stats`. Source: specification § 3. */
export const statsResponseSchema = z.object({
  jobs: z.object({ active: z.number().int().nonnegative() }),
  latestJob: z.object({ tokenAddress: z.string() }).optional(),
});
export type StatsResponse = z.infer<typeof statsResponseSchema>;

/** Answer of `GET /healthz`, which needs no API key. */
export const healthResponseSchema = z.object({ status: z.enum(['ok', 'unavailable']) });
export type HealthResponse = z.infer<typeof healthResponseSchema>;
