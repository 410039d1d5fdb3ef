import { parseConfiguration } from '@maker/service-kit';
import type { z } from 'zod';
import { gatewayEnvironment } from '../../apps/api-gateway/src/configuration.ts';
import { jobEnvironment } from '../../apps/job/src/configuration.ts';
import { makerEnvironment } from '../../apps/maker-executor/src/configuration.ts';
import { paymentWatcherEnvironment } from '../../apps/payment-watcher/src/configuration.ts';
import { siteEnvironment } from '../../apps/site/src/configuration.ts';
import { tokenValidationEnvironment } from '../../apps/token-validation/src/configuration.ts';

/** The environment that each component reads. */
export const ENVIRONMENTS: Readonly<Record<string, z.ZodObject>> = {
  'api-gateway': gatewayEnvironment,
  'token-validation': tokenValidationEnvironment,
  job: jobEnvironment,
  'payment-watcher': paymentWatcherEnvironment,
  'maker-executor': makerEnvironment,
  site: siteEnvironment,
};

/** What the images set. */
const IMAGE = { SITE_DIRECTORY: '/app/site' };

/** What a component reads from an environment. @throws ConfigurationError naming what it would not start with */
export function startsWith(component: string, environment: Record<string, string>): Record<string, unknown> {
  const schema = ENVIRONMENTS[component];
  if (!schema) throw new Error(`there is no component ${component}`);
  return parseConfiguration(schema, { ...IMAGE, ...environment });
}
