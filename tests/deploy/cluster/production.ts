import { match, strictEqual as same } from 'node:assert';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { parse, stringify } from 'yaml';
import { ProductClient } from '../../support/product-client.ts';
import { blocksIn, signingFunctions } from '../../support/runbook-commands.ts';
import type { Values } from '../chart.ts';
import { output } from './command.ts';
import { isOffline, type ServerImages, TAG } from './images.ts';
import { createPaidJob, expectCompleted } from './jobs.ts';
import { helm, kubectl, RELEASE, type ServiceProxy } from './kubernetes.ts';
import { layered, type PreparedChain, prepareChain } from './product.ts';
import { runInShell, tryInShell } from './shell.ts';
import { gatewayApi, mongodbMembers, natsChart, type StandIn, secondEndpoint } from './stand-ins.ts';
import { begin } from './steps.ts';

const PAGE = join(WORKSPACE_ROOT, 'docs', 'operate', 'install.md');
const ENDED_MS = 300_000;
const SERVER_NAMESPACES = ['nats', 'mongodb'];
/** Two hosts of the chain that replaces HyperEVM. */
const ENDPOINTS = 'http://chain:8545,http://chain-two:8545';

/** Values that step 5 has you replace, and values for a test's own chain and node. */
const ownValues = (chain: PreparedChain, operatorKeys: Values): Values => ({
  treasury: chain.treasury,
  makerExecutor: { operatorKeys, resources: SMALL },
  image: { registry: 'localhost', tag: TAG },
  chain: { id: 31337, exchanges: chain.exchanges },
  networkPolicy: { chain: { to: [{ podSelector: { matchLabels: { app: 'chain' } } }], ports: [8545] } },
  job: { plan: { executionWindowSeconds: 75 }, capacity: { blockShareBps: 10_000, orderRequestsPerMinute: 10_000 } },
  podDefaults: { resources: SMALL },
});
const SMALL = { requests: { cpu: '25m' } };

/** Runs each command of the page for a production installation as written, then pays for a job. */
export async function runProduction(images: ServerImages, proxy: ServiceProxy): Promise<void> {
  await output('kubectl', ['delete', 'namespace', ...SERVER_NAMESPACES, '--ignore-not-found', '--timeout', '180s']);
  const chain = await prepareChain(images, proxy);
  await secondEndpoint();
  const remove = await gatewayApi();
  const desk = await makeDesk();
  try {
    const page = new Page(desk, images, chain);
    for (const command of blocksIn(await readFile(PAGE, 'utf8')).flat()) await page.run(command);

    begin('a second run keeps the seed');
    await page.expectSeedKept();

    begin('a job is paid and completed');
    const apiKey = Buffer.from(await secretOf('site-api-key'), 'base64').toString();
    const apiUrl = proxy.urlOf(`${RELEASE}-hyperevm-maker-bot-api-gateway`, 'http');
    const product = new ProductClient({ ...chain.stack, apiKey, apiUrl } as never);
    await expectCompleted(product, await createPaidJob(product));

    begin('an operator cancels a job with a key that the cluster never sees');
    const { jobId } = await createPaidJob(product);
    await page.cancel(jobId);
    same((await product.ended(jobId, { timeoutMs: ENDED_MS })).status, 'cancelled');
    await helm(['uninstall', RELEASE, '--wait', '--timeout', '5m']);
  } finally {
    await rm(desk, { recursive: true, force: true });
    await remove();
  }
  await output('kubectl', ['delete', 'namespace', ...SERVER_NAMESPACES, '--timeout', '180s']);
}

const secretOf = (key: string) => kubectl(['get', 'secret', 'maker-keys', '-o', `jsonpath={.data.${key}}`]);

/** A folder with links to the checkout, for the files that the page has you make. */
async function makeDesk(): Promise<string> {
  const desk = await mkdtemp(join(tmpdir(), 'maker-desk-'));
  const shown = (await readdir(WORKSPACE_ROOT)).filter((name) => name !== '.git' && name !== 'values.yaml');
  await Promise.all(shown.map((name) => symlink(join(WORKSPACE_ROOT, name), join(desk, name))));
  return desk;
}

/** The page with the reader's own endpoints, keys and values. */
class Page {
  private readonly operatorKeys: Record<string, string> = {};
  private readonly standIns: readonly StandIn[];
  private readonly desk: string;
  private readonly chain: PreparedChain;
  private secretsCommand = '';

  constructor(desk: string, images: ServerImages, chain: PreparedChain) {
    this.desk = desk;
    this.chain = chain;
    this.standIns = isOffline() ? [mongodbMembers(images), natsChart(images)] : [];
  }

  async run(command: string): Promise<void> {
    begin(command);
    if (command.includes('ops -- secrets')) this.secretsCommand = command;
    const standIn = this.standIns.find(({ of }) => of.test(command));
    if (standIn?.instead) return standIn.instead();
    await standIn?.before?.();
    const said = await runInShell(standIn?.change?.(command) ?? this.withOwn(command), this.desk);
    const [, name = '', key = ''] = /public key of \S*?(\w+)\.key, .*: (\S+)$/m.exec(said) ?? [];
    if (name) this.operatorKeys[name] = key;
    if (command.startsWith('cp ')) await this.writeValues();
    if (command.includes('--dry-run')) same(said, '');
  }

  /** @throws AssertionError if a second Secret would replace the first */
  async expectSeedKept(): Promise<void> {
    const before = await secretOf('mnemonic');
    const { said } = await tryInShell(this.secretsCommand, this.desk);
    match(said, /secrets "maker-keys" already exists/);
    same(await secretOf('mnemonic'), before);
  }

  /** Signs as the first page of the runbooks says. */
  async cancel(jobId: string): Promise<void> {
    const settings = `JOB='${jobId}' OPERATOR=ana OPERATOR_KEY=ana.key COMMAND=command.txt`;
    const unsigned =
      'kubectl -n maker exec deploy/maker-ops -- ops cancel "$JOB" --reason "the payer asked" --unsigned > "$COMMAND"';
    await runInShell([settings, ...(await signingFunctions()), unsigned, 'give "$(sign)"'].join('\n'), this.desk);
  }

  private withOwn(command: string): string {
    // npm runs in the checkout, also from the folder of links.
    return command
      .replace(/rpc-urls=\S+/, `rpc-urls=${ENDPOINTS}`)
      .replace(/new-key ~\/(\w+\.key)$/, `new-key ${this.desk}/$1`);
  }

  private async writeValues(): Promise<void> {
    const file = join(this.desk, 'values.yaml');
    const example = parse(await readFile(file, 'utf8')) as Values;
    same(Object.keys(this.operatorKeys).length, 2);
    await writeFile(file, stringify(layered(example, ownValues(this.chain, this.operatorKeys))));
  }
}
