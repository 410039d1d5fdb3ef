import { commonEnvironment } from '@maker/service-kit';
import { z } from 'zod';

/** Environment of the site. */
export const siteEnvironment = z.object({
  ...commonEnvironment,
  HTTP_HOST: z.string().default('0.0.0.0'),
  HTTP_PORT: z.coerce.number().int().min(0).max(65_535),
  /** Folder with the builds: the shell's in `shell/`, each remote's in `remotes/<name>/`. */
  SITE_DIRECTORY: z.string(),
  /** JSON file in the shape of `/config.json`; the API key may be left out of it. */
  SITE_CONFIGURATION_FILE: z.string(),
  /** File with the API key that browsers send; it takes the place of the one in the configuration. */
  SITE_API_KEY_FILE: z.string().optional(),
  /** Look for files at each request, for builds that change while they are served. */
  SITE_WATCH: z.stringbool().default(false),
});

/** What {@link siteEnvironment} parses to. */
export type SiteConfiguration = z.infer<typeof siteEnvironment>;
