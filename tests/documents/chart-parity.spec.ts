import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { expandedSchema, type ValueSchema } from '../support/expanded-schema.ts';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const SCHEMA = expandedSchema();
const SERVICES = [
  'apiGateway',
  'tokenValidation',
  'job',
  'paymentWatcher',
  'makerExecutor',
  'receipts',
  'webhookSender',
  'site',
];
/** Values that the last column names, such as `image.tag`. */
const named = [...read('docs/chart-parity.md').matchAll(/^\|[^|]*\|[^|]*\|(.*)\|$/gm)]
  .flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)])
  .map(([, name = '']) => name)
  .filter((name) => !['imageRegistry', 'imagePullSecrets', 'kubeVersion'].includes(name));

const has = (path: string): boolean =>
  path.split('.').reduce<ValueSchema | undefined>((at, key) => at?.properties?.[key], SCHEMA) !== undefined;

it.each([...new Set(named)])('%s, which docs/chart-parity.md names, is a value of the chart', (name) => {
  const paths = name.startsWith('<service>') ? SERVICES.map((service) => name.replace('<service>', service)) : [name];
  expect(paths.filter((path) => !has(path))).toEqual([]);
});
