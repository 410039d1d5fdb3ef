import { match, ok } from 'node:assert';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type StackDescription, waitUntil } from '@maker/local-stack';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { type Browser, chromium } from '@playwright/test';
import { findChromium } from '../../../tools/chromium.ts';
import { ProductClient } from '../../support/product-client.ts';
import { blocksIn } from '../../support/runbook-commands.ts';
import { withValues } from '../chart.ts';
import { type ServerImages, TAG } from './images.ts';
import { helm, kubectl, NAMESPACE, RELEASE, type ServiceProxy } from './kubernetes.ts';
import { prepareChain, serverValues } from './product.ts';
import { runInShell } from './shell.ts';
import { begin } from './steps.ts';
import { prepareVolumes } from './volume.ts';

const PAGE = join(WORKSPACE_ROOT, 'docs', 'operate.md');
/** Time limit from the command to a paid and completed job. */
const LONGEST_MS = 600_000;
const JOB_MS = 300_000;
const FORWARD_MS = 10_000;
const AMOUNT = '0.25';

/** Replaces the testnet and its images, which this machine may not reach, by a chain of one node with its exchanges. */
const stoodFor = (exchanges: unknown, images: ServerImages) => ({
  image: { registry: 'localhost', tag: TAG },
  chain: { id: 31337, exchanges },
  networkPolicy: { chain: { to: [{ podSelector: { matchLabels: { app: 'chain' } } }] } },
  // A job of a minute instead of a day, which needs more than a tenth of the blocks.
  job: { plan: { executionWindowSeconds: 75 }, capacity: { blockShareBps: 10_000, orderRequestsPerMinute: 10_000 } },
  evaluation: serverValues(images),
});

/** Installs an evaluation with the command of the operator's page, then pays for a job on the site; both take at most ten minutes. */
export async function runEvaluation(images: ServerImages, proxy: ServiceProxy): Promise<void> {
  const chain = await prepareChain(images, proxy);
  await prepareVolumes();
  const ofPublished = ([first = '']: string[]) => first.startsWith('helm install maker oci://ghcr.io/');
  const [install = '', list = ''] = blocksIn(await readFile(PAGE, 'utf8')).find(ofPublished) ?? [];
  match(install, /^helm install maker oci:\/\/\S+ --version \S+ .*--set treasury=0x… --set 'rpc\.urls=\{https:/);

  begin('one line installs an evaluation');
  const began = Date.now();
  const seconds = () => Math.round((Date.now() - began) / 1000);
  const line = install
    .replace(/oci:\/\/\S+ --version \S+/, 'charts/hyperevm-maker-bot')
    .replace('0x…', chain.treasury)
    .replace(/\{https:[^}]*\}/, '{http://chain:8545}');
  await withValues(stoodFor(chain.exchanges, images), async (file) => {
    await runInShell(`${line} --timeout 10m --values '${file}'`);
  });
  console.log(`${line}\nevery pod ready after ${seconds()} s`);

  begin('a visitor pays for a job on the site');
  const forwards = await forwardByNotes();
  let browser: Browser | undefined;
  try {
    browser = await chromium.launch({ executablePath: await findChromium('shell', () => undefined) });
    const stack = chain.stack as StackDescription;
    const page = await browser.newPage();
    const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
    await page.goto('http://localhost:8080');
    await press('START');
    await page.getByPlaceholder('0x...').first().fill(stack.tokens.both);
    await press(/^VALIDAT/);
    await page.getByRole('radio', { name: 'Custom Amount' }).check();
    await page.getByRole('spinbutton').fill(AMOUNT);
    await page.getByRole('checkbox').check();
    await press(/^CONTINUE/);
    const address = page
      .locator('dt', { hasText: /^Payment Wallet Address$/ })
      .locator('xpath=following-sibling::dd[1]');
    await new ProductClient(stack).pay((await address.textContent()) ?? '', AMOUNT);
    await page.getByText('Transaction Received - Job Active').first().waitFor();
    console.log(`paid and active after ${seconds()} s`);
    match(await runInShell(list), /active/);
    const done = page.getByText(/^Done\. .* delivered, .* HYPE returned$/);
    await done.waitFor({ timeout: JOB_MS });
    console.log(`after ${seconds()} s: ${await done.textContent()}`);
    ok(Date.now() - began < LONGEST_MS, `it took ${seconds()} s`);
  } finally {
    await browser?.close();
    for (const forward of forwards) forward.kill();
  }

  begin('the keys stay when the release goes');
  await helm(['uninstall', RELEASE, '--wait', '--timeout', '5m']);
  match(await kubectl(['get', 'secrets', '--output', 'name']), /hyperevm-maker-bot-keys/);
}

/** Runs the port-forwards in the release's notes, and waits until the site answers. */
async function forwardByNotes(): Promise<ChildProcess[]> {
  const said = await runInShell(`helm get notes ${RELEASE} --namespace ${NAMESPACE}`);
  const lines = [...said.matchAll(/kubectl (-n \S+ port-forward service\/\S+ (\d+):80)/g)];
  ok(lines.length === 2, said);
  const forwards = lines.map(([, args = '']) => spawn('kubectl', args.split(' '), { stdio: 'ignore' }));
  const answers = async () =>
    (await Promise.all(lines.map(([, , port]) => fetch(`http://localhost:${port}/`)))).length === lines.length;
  ok(await waitUntil(() => answers().catch(() => false), { timeoutMs: FORWARD_MS }), 'the forwards do not answer');
  return forwards;
}
