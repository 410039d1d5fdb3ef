import {
  type ClientConfiguration,
  type ServiceFile,
  serviceFileSchema,
  servicePeriodSchema,
  timeSchema,
} from '@maker/contracts';
import { ConfigurationError } from '@maker/service-kit';
import { z } from 'zod';
import { readConfigurationFile } from './client-configuration.ts';
import type { SiteConfiguration } from './configuration.ts';

/** The field `service` of the configuration. */
const settingsSchema = z.strictObject({
  /** When the current treasury and keys came into use. */
  since: timeSchema.nullish(),
  earlierPeriods: z.array(servicePeriodSchema).default([]),
  identity: serviceFileSchema.shape.identity.nullish(),
});

/**
 * The file by which receipts name the service. Source: docs/adr/0168.
 * @returns undefined if the site does not know the keys of agreements @throws ConfigurationError
 */
export async function readServiceFile(
  environment: Pick<SiteConfiguration, 'JOB_AGREEMENT_SIGNERS' | 'SITE_CONFIGURATION_FILE'>,
  { chainId, botWalletAddress }: Pick<ClientConfiguration, 'chainId' | 'botWalletAddress'>,
): Promise<ServiceFile | undefined> {
  const { JOB_AGREEMENT_SIGNERS: agreementSigners } = environment;
  if (!agreementSigners) return undefined;
  const { service = {} } = await readConfigurationFile(environment);
  const { since, earlierPeriods, identity } = valid(settingsSchema, service);
  const current = { treasury: botWalletAddress, agreementSigners, from: since ?? null, to: null };
  return valid(serviceFileSchema, {
    chainId,
    periods: [...earlierPeriods, current],
    ...(identity && { identity }),
  });
}

function valid<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(input);
  if (success) return data;
  throw new ConfigurationError(
    error.issues.map((issue) => `SITE_CONFIGURATION_FILE: ${['service', ...issue.path].join('.')}: ${issue.message}`),
  );
}
