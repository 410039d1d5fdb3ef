import { CHAIN_MNEMONIC } from '@maker/local-stack';
import { parseConfiguration } from '@maker/service-kit';
import { accountXpub } from '@maker/signing/private';
import type { z } from 'zod';
import { gatewayEnvironment } from '../../apps/api-gateway/src/configuration.ts';
import { jobEnvironment } from '../../apps/job/src/configuration.ts';
import { makerEnvironment } from '../../apps/maker-executor/src/configuration.ts';
import { canaryEnvironment } from '../../apps/ops/src/canary/configuration.ts';
import { paymentWatcherEnvironment } from '../../apps/payment-watcher/src/configuration.ts';
import { receiptsEnvironment } from '../../apps/receipts/src/configuration.ts';
import { siteEnvironment } from '../../apps/site/src/configuration.ts';
import { tokenValidationEnvironment } from '../../apps/token-validation/src/configuration.ts';
import { webhookEnvironment } from '../../apps/webhook-sender/src/configuration.ts';
import { type KubernetesObject, OPERATORS, podTemplates } from './chart.ts';

/** The schema of each component's environment. */
export const ENVIRONMENTS: Readonly<Record<string, z.ZodObject>> = {
  'api-gateway': gatewayEnvironment,
  'token-validation': tokenValidationEnvironment,
  job: jobEnvironment,
  'payment-watcher': paymentWatcherEnvironment,
  'maker-executor': makerEnvironment,
  receipts: receiptsEnvironment,
  'webhook-sender': webhookEnvironment,
  canary: canaryEnvironment,
  site: siteEnvironment,
};

const AGREEMENT_SIGNER = `0x${'2'.repeat(40)}`;

/** Content of the Secrets in the values. */
const SECRETS: Record<string, string> = {
  'maker-keys/xpub': accountXpub(CHAIN_MNEMONIC),
  'maker-hyperevm-maker-bot-keys/xpub': accountXpub(CHAIN_MNEMONIC),
  'maker-keys/agreement-signers': AGREEMENT_SIGNER,
  'maker-hyperevm-maker-bot-keys/agreement-signers': AGREEMENT_SIGNER,
  'maker-hyperevm-maker-bot-keys/operator-keys': `evaluator:${OPERATORS.ana}`,
  'rpc-endpoints/rpc-urls': 'https://one.example/key,https://two.example/key',
  ...Object.fromEntries(
    ['api-gateway', 'token-validation', 'job', 'payment-watcher', 'maker-executor', 'receipts', 'webhook-sender'].map(
      (service) => [`maker-keys/mongodb-${service}`, `password-of-${service}`],
    ),
  ),
};

type Variable = { name: string; value?: string; valueFrom?: { secretKeyRef: { name: string; key: string } } };

/** The environment of a component's container, without variables that only other variables use. */
export function environmentOf(objects: readonly KubernetesObject[], component: string): Record<string, string> {
  const pod = podTemplates(objects).find((candidate) => candidate.component === component);
  const variables: Variable[] = pod?.spec.containers[0].env ?? [];
  const environment: Record<string, string> = {};
  const used = new Set<string>();
  for (const { name, value, valueFrom } of variables) {
    if (valueFrom) {
      const { name: secret, key } = valueFrom.secretKeyRef;
      environment[name] = SECRETS[`${secret}/${key}`] ?? `no Secret ${secret}/${key}`;
    } else environment[name] = (value ?? '').replaceAll(/\$\((\w+)\)/g, (text, other) => filledIn(text, other));
  }
  for (const name of used) delete environment[name];
  return environment;

  // Substitutes earlier variables, as the kubelet does.
  function filledIn(text: string, other: string): string {
    used.add(other);
    return environment[other] ?? text;
  }
}

/** A component's configuration from an environment. @throws ConfigurationError naming the invalid variables */
export function startsWith(component: string, environment: Record<string, string>): Record<string, unknown> {
  const schema = ENVIRONMENTS[component];
  if (!schema) throw new Error(`there is no component ${component}`);
  return parseConfiguration(schema, environment);
}
