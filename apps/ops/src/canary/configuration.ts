import { chainEnvironment, configuredAddress } from '@maker/chain';
import { ConfigurationError, commonEnvironment, hypeAmount, readConfiguredFile } from '@maker/service-kit';
import type { Hex } from 'viem';
import { z } from 'zod';

/** Environment of this program. */
export const canaryEnvironment = z.object({
  LOG_LEVEL: commonEnvironment.LOG_LEVEL,
  LISTEN_HOST: commonEnvironment.LISTEN_HOST,
  OPS_PORT: commonEnvironment.OPS_PORT,
  CHAIN_ID: chainEnvironment.CHAIN_ID,
  CHAIN_RPC_URLS: chainEnvironment.CHAIN_RPC_URLS,
  /** Smallest payment that the gateway accepts for a job. */
  MINIMUM_PAYMENT_HYPE: hypeAmount.prefault('0.25'),
  CANARY_API_URL: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, '')),
  API_KEY_FILE: z.string(),
  /** File with the private key of the canary's wallet, 0x and 64 hexadecimal digits. */
  CANARY_PRIVATE_KEY_FILE: z.string(),
  CANARY_TOKEN_ADDRESS: configuredAddress,
  /** Limit for the fees of whole rounds in a day. */
  CANARY_DAILY_FEE_HYPE: hypeAmount.prefault('1'),
});

export type CanaryConfiguration = z.infer<typeof canaryEnvironment>;

export interface CanarySecrets {
  readonly apiKey: string;
  readonly privateKey: Hex;
}

/** @throws ConfigurationError that names the variable, never the content of its file */
export async function readSecrets(
  files: Pick<CanaryConfiguration, 'API_KEY_FILE' | 'CANARY_PRIVATE_KEY_FILE'>,
): Promise<CanarySecrets> {
  const apiKey = (await readConfiguredFile('API_KEY_FILE', files.API_KEY_FILE)).trim();
  const privateKey = (await readConfiguredFile('CANARY_PRIVATE_KEY_FILE', files.CANARY_PRIVATE_KEY_FILE)).trim();
  if (apiKey === '') throw new ConfigurationError(['API_KEY_FILE is empty']);
  if (!/^0x[0-9a-fA-F]{64}$/.test(privateKey)) {
    throw new ConfigurationError(['CANARY_PRIVATE_KEY_FILE holds no private key: 0x and 64 hexadecimal digits']);
  }
  return { apiKey, privateKey: privateKey as Hex };
}
