import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, type RunningStack } from '@maker/local-stack';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOwnStack } from '../support/own-stack.ts';
import { ProductClient } from '../support/product-client.ts';
import { quickstartPrograms } from '../support/quickstart-page.ts';
import { until } from '../support/until.ts';

const run = promisify(execFile);

/** Commands for the page's programs, by file extension. */
const RUNNERS: Readonly<Record<string, string>> = { sh: 'sh', ts: process.execPath, py: 'python3' };
const JOBS = [
  ['job.sh', 'curl-1001'],
  ['job.ts', 'ts-1002'],
  ['job.py', 'python-1003'],
] as const;
const RECEIVERS = ['receiver.ts', 'receiver.py'] as const;
/** The build from which a service runs. */
const BUILT = join(WORKSPACE_ROOT, 'apps', 'job', 'dist', 'bundle', 'main.js');
/** Time for a start of the stack and three jobs of about twenty seconds on a busy machine, ms. */
const RUN_MS = 400_000;
const START = { timeoutMs: 30_000 };
const JOB = { timeoutMs: 200_000 };

/** A running program of the page, with its output. */
interface Program {
  readonly child: ChildProcess;
  output: string;
}

const secret = `whsec_${randomBytes(32).toString('base64')}`;
const programs = new Map<string, Program>();
const ports = new Map<string, number>();
let folder = '';
let running: RunningStack | undefined;

/** @throws Error in one line that names the missing program */
async function needProgram(name: string): Promise<void> {
  await run(name, ['--version']).catch(() => {
    throw new Error(
      `${name} is missing: the quickstart runs it (Debian: apt-get install ${name === 'uuidgen' ? 'uuid-runtime' : name})`,
    );
  });
}

function start(name: string, environment: Record<string, string>): Program {
  const command = RUNNERS[name.split('.').at(-1) ?? ''] ?? '';
  const env = { PATH: process.env.PATH ?? '', ...environment };
  const child = spawn(command, [name], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const program: Program = { child, output: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (bytes: Buffer) => {
      program.output += bytes.toString();
    });
  }
  programs.set(name, program);
  return program;
}

/** Waits for a program's output. @throws with all output if the program ends before */
function printed(name: string, what: RegExp, patience: { timeoutMs: number }): Promise<string> {
  const ask = async () => {
    const { child, output } = programs.get(name) ?? { child: undefined, output: '' };
    if (!what.test(output) && child?.exitCode) throw new Error(`${name} ended with ${child.exitCode}: ${output}`);
    return output;
  };
  return until(`${what} of ${name}`, ask, (output) => what.test(output), patience);
}

beforeAll(async () => {
  await Promise.all(['curl', 'python3', 'uuidgen'].map(needProgram));
  folder = await mkdtemp(join(tmpdir(), 'maker-quickstart-'));
  for (const [name, text] of await quickstartPrograms()) await writeFile(join(folder, name), text);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const built = await stat(BUILT);
  await run('sh', [join(folder, 'client.sh')], { cwd: WORKSPACE_ROOT, env: { ...process.env, PROJECT: folder } });
  // Nx must not rewrite builds while services run from them.
  expect((await stat(BUILT)).ino).toBe(built.ino);
  const endpoints: object[] = [];
  for (const name of RECEIVERS) {
    const port = await freePort();
    ports.set(name, port);
    const environment = { PORT: String(port), WEBHOOK_SECRET: secret };
    await run('sh', ['endpoint.sh'], { cwd: folder, env: { PATH: process.env.PATH ?? '', ...environment } });
    const [endpoint] = JSON.parse(await readFile(join(folder, 'endpoints.json'), 'utf8'));
    endpoints.push({ ...endpoint, name: name.replace('.', '-') });
    start(name, environment);
    await printed(name, /receiver started/, START);
  }
  const webhookEndpointsFile = join(folder, 'both.json');
  await writeFile(webhookEndpointsFile, JSON.stringify(endpoints));
  running = await startOwnStack(20, {}, {}, { webhookEndpointsFile });
  const { stack } = running;
  const product = new ProductClient(stack);
  // A paid job books capacity, so all are created before the first payment.
  for (const [name, order] of JOBS) {
    start(name, { API_URL: stack.apiUrl, API_KEY: stack.apiKey, TOKEN: stack.tokens.both, ORDER: order });
    await printed(name, /^Pay 0.25 HYPE to 0x/m, START);
  }
  for (const [name] of JOBS) {
    const [, address = ''] = /to (0x\w+)/.exec(programs.get(name)?.output ?? '') ?? [];
    await product.pay(address, '0.25');
  }
}, RUN_MS);

afterAll(async () => {
  for (const { child } of programs.values()) child.kill();
  await running?.stop();
  if (folder) await rm(folder, { recursive: true, force: true });
});

describe.each(JOBS)('%s as printed', (name, order) => {
  it('shows the job until it is completed', { timeout: RUN_MS }, async () => {
    expect(await printed(name, /^completed/m, JOB)).toMatch(/^pending_payment|^active/m);
    await until(
      `the end of ${name}`,
      async () => programs.get(name)?.child.exitCode,
      (code) => code === 0,
      START,
    );
  });

  it.each(RECEIVERS)('is known to %s by its order number', { timeout: RUN_MS }, async (receiver) => {
    for (const status of ['active', 'completed']) {
      expect(await printed(receiver, new RegExp(`^order ${order} is ${status}$`, 'm'), JOB)).toBeTruthy();
    }
  });
});

it.each(RECEIVERS)('%s refuses a message that is not signed', async (name) => {
  const headers = { 'webhook-id': 'x', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) };
  const body = JSON.stringify({
    type: 'job.status_changed',
    data: { to: 'completed', metadata: { orderId: 'forged' } },
  });
  const forged = { ...headers, 'webhook-signature': `v1,${'A'.repeat(43)}=` };
  const answers = [headers, forged].map((one) =>
    fetch(`http://127.0.0.1:${ports.get(name)}/`, { method: 'POST', headers: one, body }),
  );
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([400, 400]);
  expect(programs.get(name)?.output).not.toContain('forged');
});
