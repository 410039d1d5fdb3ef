import { commonEnvironment } from '@maker/service-kit';
import { z } from 'zod';

/** Environment of the site. */
export const siteEnvironment = z.object({
  ...commonEnvironment,
  HTTP_PORT: z.coerce.number().int().min(0).max(65_535),
  /** JSON file in the shape of `/config.json`; the API key may be left out of it. */
  SITE_CONFIGURATION_FILE: z.string(),
  /** File with the API key that browsers send; it takes the place of the one in the configuration. */
  API_KEY_FILE: z.string().optional(),
});

/** What {@link siteEnvironment} parses to. */
export type SiteConfiguration = z.infer<typeof siteEnvironment>;
