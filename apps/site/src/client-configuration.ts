import { type ClientConfiguration, clientConfigurationSchema } from '@maker/contracts';
import { ConfigurationError, readConfiguredFile } from '@maker/service-kit';
import { z } from 'zod';
import type { SiteConfiguration } from './configuration.ts';

const jsonObject = z.record(z.string(), z.unknown());

/**
 * Reads the configuration that browsers get as `/config.json`.
 * @throws ConfigurationError that names the problem, never the content of the files
 */
export async function readClientConfiguration(
  environment: Pick<SiteConfiguration, 'SITE_CONFIGURATION_FILE' | 'API_KEY_FILE'>,
): Promise<ClientConfiguration> {
  const { API_KEY_FILE } = environment;
  const configuration = await readConfigurationFile(environment);
  const key = API_KEY_FILE ? { apiKey: (await readConfiguredFile('API_KEY_FILE', API_KEY_FILE)).trim() } : {};
  const parsed = clientConfigurationSchema.safeParse({ ...configuration, ...key }, { reportInput: false });
  if (parsed.success) return parsed.data;
  throw new ConfigurationError(
    parsed.error.issues.map((issue) => `SITE_CONFIGURATION_FILE: ${issue.path.join('.')}: ${issue.message}`),
  );
}

/** Reads the configuration's JSON object. @throws ConfigurationError */
export async function readConfigurationFile({
  SITE_CONFIGURATION_FILE: path,
}: Pick<SiteConfiguration, 'SITE_CONFIGURATION_FILE'>): Promise<Record<string, unknown>> {
  const text = await readConfiguredFile('SITE_CONFIGURATION_FILE', path);
  try {
    return jsonObject.parse(JSON.parse(text));
  } catch {
    // The parser's message quotes the text around the error, which may be secret.
    throw new ConfigurationError(['SITE_CONFIGURATION_FILE is not a JSON object']);
  }
}
