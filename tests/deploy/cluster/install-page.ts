import { match, ok, strictEqual as same } from 'node:assert';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { findTool } from '../../../tools/go-tool.ts';
import { blocksIn } from '../../support/runbook-commands.ts';
import { EXAMPLES, OPERATORS, withValues } from '../chart.ts';
import { attempt, output } from './command.ts';
import { begin } from './steps.ts';

const PAGE = join(WORKSPACE_ROOT, 'docs', 'operate', 'install.md');
/** What the page makes beside the product's namespace. */
const SERVER_NAMESPACES = ['nats', 'mongodb'];
/** Commands that need a registry, a MongoDB operator, pods that run, or your own values. */
const NEED_MORE = [/^helm /, /k8s\/mongodb\/mongodb\.yaml/, /mongodbcommunity/, /deploy\/maker-ops/, /^cp /, /new-key/];
/** What step 5 has you replace, and an ingress controller where the cluster knows no Gateway. */
const OWN = {
  treasury: '0x1111111111111111111111111111111111111111',
  makerExecutor: { operatorKeys: OPERATORS },
  httpRoute: { parentRefs: [] },
  ingress: { enabled: true },
};

const shell = (command: string) => ['-c', `cd '${WORKSPACE_ROOT}' && ${command}`];
const seed = () => output('kubectl', ['-n', 'maker', 'get', 'secret', 'maker-keys', '-o', 'jsonpath={.data.mnemonic}']);

/**
 * Runs the commands of the page that makes a production installation, as they are written: namespaces, Secrets, users of NATS. A second run keeps the
 * seed. Then asks the API server for each object of the production values, with every Secret and key that they name.
 */
export async function runInstallPage(): Promise<void> {
  begin('commands of docs/operate/install.md');
  await output('kubectl', ['delete', 'namespace', ...SERVER_NAMESPACES, '--ignore-not-found', '--timeout', '180s']);
  const commands = blocksIn(await readFile(PAGE, 'utf8')).flat();
  for (const command of commands.filter((text) => !NEED_MORE.some((pattern) => pattern.test(text)))) {
    const { isDone, said } = await attempt('bash', shell(`set -o pipefail; ${command}`));
    ok(isDone, `${command}: ${said}`);
    console.log(`✓ ${command}`);
  }

  begin('a second run keeps the seed');
  const before = await seed();
  const [again = ''] = commands.filter((command) => command.includes('ops -- secrets'));
  match((await attempt('bash', shell(`set -o pipefail; ${again}`))).said, /secrets "maker-keys" already exists/);
  same(await seed(), before);

  begin('the API server takes the production values');
  await withValues(OWN, async (own) => {
    const values = ['--values', join(EXAMPLES, 'production.yaml'), '--values', own];
    const chart = join(dirname(EXAMPLES), '..', 'charts', 'hyperevm-maker-bot');
    const install = ['install', 'maker', chart, '--namespace', 'maker', '--dry-run=server', '--hide-notes', ...values];
    const manifest = await output(await findTool('helm'), install);
    const objects = manifest.slice(manifest.indexOf('MANIFEST:') + 'MANIFEST:'.length);
    const taken = await output('kubectl', ['apply', '--namespace', 'maker', '--dry-run=server', '-f', '-'], objects);
    console.log(`${taken.trim().split('\n').length} objects taken`);
  });
  await output('kubectl', ['delete', 'namespace', ...SERVER_NAMESPACES, '--timeout', '180s']);
}
