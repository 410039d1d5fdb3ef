import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8');
const VALUES: unknown = parse(read('charts/hyperevm-maker-bot/values.yaml'));
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
/** Of a service that is asked over HTTP and has no database. */
const NOT_OF_THE_SITE = ['mongo'];

/** Values that the last column names, such as `image.tag`. */
const named = [...read('docs/chart-parity.md').matchAll(/^\|[^|]*\|[^|]*\|(.*)\|$/gm)]
  .flatMap(([, cell = '']) => [...cell.matchAll(/`([^`]+)`/g)])
  .map(([, name = '']) => name)
  .filter((name) => !['imageRegistry', 'imagePullSecrets', 'kubeVersion'].includes(name));

const has = (path: string): boolean =>
  path.split('.').reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], VALUES) !==
  undefined;

it.each([...new Set(named)])('%s, which docs/chart-parity.md names, is a value of the chart', (name) => {
  const of = SERVICES.filter((service) => service !== 'site' || !NOT_OF_THE_SITE.some((part) => name.includes(part)));
  const paths = name.startsWith('<service>') ? of.map((service) => name.replace('<service>', service)) : [name];
  expect(paths.filter((path) => !has(path))).toEqual([]);
});
