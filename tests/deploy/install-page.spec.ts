import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findTool } from '../../tools/go-tool.ts';
import { blocksIn } from '../support/runbook-commands.ts';
import { EXAMPLES, KUBERNETES_VERSIONS, type KubernetesObject, OPERATORS, parseObjects, withValues } from './chart.ts';
import { kubernetesCheck } from './kubernetes-schemas.ts';

const run = promisify(execFile);
const PAGE = join(WORKSPACE_ROOT, 'docs', 'operate', 'install.md');
const OPS = join(WORKSPACE_ROOT, 'apps', 'ops', 'src', 'main.ts');
const CHART = 'charts/hyperevm-maker-bot';

/** Values that step 5 has you replace. */
const OWN = { treasury: '0x1111111111111111111111111111111111111111', makerExecutor: { operatorKeys: OPERATORS } };

// The first use builds helm, which takes minutes.
beforeAll(() => findTool('helm'));

const commands = blocksIn(await readFile(PAGE, 'utf8')).flat();
const starting = (start: string) => commands.filter((command) => command.startsWith(start));
const words = (command: string) => command.split(/\s+/);
const optionsOf = (command: string, ...names: readonly string[]) =>
  words(command).flatMap((word, index, all) => (names.includes(word) ? [all[index + 1] ?? ''] : []));
const path = (file: string) => join(WORKSPACE_ROOT, file);

/** Checks of the page's commands, as far as possible without a cluster. */
const TRIES: readonly (readonly [RegExp, (command: string) => Promise<void>])[] = [
  [/^kubectl apply -f /, (command) => expectObjects(optionsOf(command, '-f'))],
  [/^kubectl apply -k /, expectKustomization],
  [/^npm run --silent ops -- secrets .* \| kubectl create -f -$/, expectSecrets],
  [/^npm run --silent ops -- new-key ~\/\w+\.key$/, async () => undefined],
  [/^helm install \S+ \S+ --repo https:/, expectValuesFile],
  [/^helm (template|install) maker /, expectRendered],
  [/^helm test maker --namespace maker$/, async () => undefined],
  [/^kubectl -n \w+ /, expectKnownName],
  [/^cp k8s\/values\/production\.yaml values\.yaml$/, async () => undefined],
];

async function expectObjects(files: readonly string[]): Promise<void> {
  const check = await kubernetesCheck(KUBERNETES_VERSIONS[0]);
  for (const file of files) {
    const objects = parseObjects(await readFile(path(file), 'utf8'));
    expect(objects.length, file).toBeGreaterThan(0);
    const standard = objects.filter(({ apiVersion }) => !apiVersion.includes('mongodb.com'));
    expect((await Promise.all(standard.map(check))).flat(), file).toEqual([]);
  }
}

async function expectKustomization(command: string): Promise<void> {
  const [folder = ''] = optionsOf(command, '-k');
  const { resources, configMapGenerator } = parse(await readFile(path(`${folder}/kustomization.yaml`), 'utf8'));
  const files = [...resources, ...configMapGenerator.flatMap(({ files }: { files: string[] }) => files)];
  for (const file of files) expect(existsSync(path(`${folder}/${file}`)), file).toBe(true);
}

/** Runs the command itself, and checks each object that kubectl would create. */
async function expectSecrets(command: string): Promise<void> {
  const [made = ''] = command.split(' | ');
  const args = words(made.replace('npm run --silent ops -- ', ''));
  const { stdout } = await run(process.execPath, ['--conditions=@maker/source', OPS, ...args]);
  const { items } = JSON.parse(stdout) as { items: KubernetesObject[] };
  const check = await kubernetesCheck(KUBERNETES_VERSIONS[0]);
  expect((await Promise.all(items.map(check))).flat()).toEqual([]);
  expect(items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual([
    'maker/maker-keys',
    'nats/nats-passwords',
    'mongodb/mongodb-passwords',
  ]);
}

async function expectValuesFile(command: string): Promise<void> {
  for (const file of optionsOf(command, '--values'))
    expect(parse(await readFile(path(file), 'utf8'))).toBeTypeOf('object');
}

/** Renders with the command's options instead of installing. */
async function expectRendered(command: string): Promise<void> {
  const [, , release = '', chart = ''] = words(command);
  expect({ chart, values: optionsOf(command, '--values') }).toEqual({ chart: CHART, values: ['values.yaml'] });
  await withValues(OWN, async (own) => {
    const values = ['--values', join(EXAMPLES, 'production.yaml'), '--values', own];
    const version = ['--kube-version', KUBERNETES_VERSIONS[0], '--api-versions', 'gateway.networking.k8s.io/v1'];
    const args = [
      'template',
      release,
      path(chart),
      ...optionsOf(command, '--namespace').flatMap((name) => ['--namespace', name]),
    ];
    const { stdout } = await run(await findTool('helm'), [...args, ...values, ...version], {
      maxBuffer: 64 * 1024 * 1024,
    });
    expect(parseObjects(stdout).some(({ kind }) => kind === 'HTTPRoute')).toBe(true);
  });
}

/** Asserts that the page or the chart creates the named object. */
async function expectKnownName(command: string): Promise<void> {
  const known = ['secret maker-keys', 'secret generic rpc-endpoints', 'mongodbcommunity/mongodb', 'deploy/maker-ops'];
  expect(known.filter((name) => command.includes(name))).toHaveLength(1);
}

describe('docs/operate/install.md', () => {
  it.each(commands)('has a working command: %s', async (command) => {
    const [, attempt] = TRIES.find(([pattern]) => pattern.test(command)) ?? [];
    expect(attempt, command).toBeDefined();
    await attempt?.(command);
  });

  it('makes each named Secret before the chart is installed', () => {
    const install = commands.findIndex((command) => command.startsWith('helm install maker '));
    const isBefore = (text: string) => {
      const index = commands.findIndex((command) => command.includes(text));
      return index >= 0 && index < install;
    };
    for (const text of ['ops -- secrets', 'generic rpc-endpoints --from-literal=rpc-urls='])
      expect(isBefore(text)).toBe(true);
  });

  it('lets no second run replace the seed', () => {
    for (const command of starting('npm run --silent ops -- secrets')) expect(command).not.toContain('apply');
  });
});
