import { addressSchema } from '@maker/contracts';
import { commaList, commonEnvironment } from '@maker/service-kit';
import { z } from 'zod';

/** Environment variables of the site. */
export const siteEnvironment = z.object({
  ...commonEnvironment,
  HTTP_PORT: z.coerce.number().int().min(0).max(65_535),
  /** JSON file in the format of `/config.json`; may omit the API key. Its field `service` has what only operators know about their service. */
  SITE_CONFIGURATION_FILE: z.string(),
  /** File with the API key of browsers; it overrides the key in the configuration. */
  API_KEY_FILE: z.string().optional(),
  /** Addresses of the keys that sign agreements, separated by commas; without them the site does not name its service. Source: docs/adr/0168. */
  JOB_AGREEMENT_SIGNERS: commaList.pipe(z.array(addressSchema).min(1)).optional(),
});

/** The parsed {@link siteEnvironment}. */
export type SiteConfiguration = z.infer<typeof siteEnvironment>;
