import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CreateJobResponse } from '@maker/contracts';
import { type RunningStack, SERVICES, type ServiceName, startStack } from '@maker/local-stack';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { Encrypter } from 'age-encryption';
import { BSON, MongoClient } from 'mongodb';
import { english, generateMnemonic } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProductClient } from '../support/product-client.ts';
import { until } from '../support/until.ts';
import { apiKeyNeedles, type Findings, findNeedles, type Needle, note, seedNeedles } from './canary-needles.ts';
import { type OddAnswer, sendOddRequests } from './odd-requests.ts';
import { describeProcess, searchMemory } from './process-memory.ts';

// Set before the first start, and known only to this test.
const MNEMONIC = generateMnemonic(english);
const PASSPHRASE = 'canary passphrase of the seed file';
const PUBLIC_KEY = 'maker_public_canaryPublicKey0123456789abcdef';
const OPERATOR_KEY = 'maker_operator_canaryOperatorKey0123456789';

const seed = seedNeedles(MNEMONIC);
const apiKeys = [...apiKeyNeedles('the public key', PUBLIC_KEY), ...apiKeyNeedles('the operator key', OPERATOR_KEY)];
const passphrase: Needle = { name: 'the passphrase', bytes: Buffer.from(PASSPHRASE) };
const everything = [...seed, ...apiKeys, passphrase];

let folder: string;
let running: RunningStack;
let product: ProductClient;
let job: CreateJobResponse;
let answers: OddAnswer[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maker-canary-'));
  const directory = join(folder, 'stack');
  await mkdir(join(directory, 'secrets'), { recursive: true, mode: 0o700 });
  await writeFile(join(directory, 'secrets', 'seed'), MNEMONIC, { mode: 0o400 });
  await writeFile(join(directory, 'secrets', 'api-key'), PUBLIC_KEY, { mode: 0o600 });
  await writeFile(join(directory, 'secrets', 'operator-api-key'), OPERATOR_KEY, { mode: 0o600 });
  await writeFile(join(folder, 'passphrase'), PASSPHRASE, { mode: 0o400 });
  const encrypter = new Encrypter();
  encrypter.setPassphrase(PASSPHRASE);
  encrypter.setScryptWorkFactor(10);
  await writeFile(join(folder, 'seed.age'), await encrypter.encrypt(MNEMONIC), { mode: 0o400 });
  // Enables every log line of every service.
  const environment = Object.fromEntries(SERVICES.map((service) => [service, { LOG_LEVEL: 'trace' }]));
  running = await startStack({
    directory,
    ports: 'free',
    parts: 'services',
    keep: true,
    environment: {
      ...environment,
      job: { LOG_LEVEL: 'trace', JOB_EXECUTION_WINDOW_SECONDS: '20' },
      'maker-executor': { LOG_LEVEL: 'trace' },
    },
  });
  product = new ProductClient(running.stack);
}, 180_000);

afterAll(async () => {
  await running?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The running process with a name: the list is written shortly after a start. */
function pidOf(name: string): Promise<number> {
  const ask = async () => {
    const text = await readFile(join(running.directory, 'processes.json'), 'utf8');
    const pid: number = text.endsWith('}') ? JSON.parse(text)[name] : 0;
    return existsSync(`/proc/${pid}/mem`) ? pid : 0;
  };
  return until(`the process of ${name}`, ask, (pid) => pid > 0);
}

async function filesBelow(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** @returns undefined for a file that its server has renamed or removed meanwhile */
async function contentOf(file: string): Promise<Buffer | undefined> {
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/** Files of a part of the stack with their content. Servers rename their files: if one is gone, its folder is read again. */
async function* contentsOf(part: 'logs' | 'nats' | 'mongo'): AsyncGenerator<[file: string, content: Buffer]> {
  for (const listed of await filesBelow(join(running.directory, part))) {
    const content = await contentOf(listed);
    if (content) {
      yield [listed, content];
      continue;
    }
    for (const file of await filesBelow(dirname(listed))) {
      const renamed = await contentOf(file);
      if (renamed) yield [file, renamed];
    }
  }
}

/** Crashes a service with core files enabled. @returns the core, if this system writes it there */
async function crash(service: ServiceName): Promise<Buffer | undefined> {
  const pid = await pidOf(service);
  expect((await readFile(`/proc/${pid}/coredump_filter`, 'utf8')).trim()).toBe('00000000');
  execFileSync('prlimit', ['--pid', String(pid), '--core=unlimited:unlimited']);
  await running.kill(service, 'SIGABRT');
  for (const name of ['core', `core.${pid}`]) {
    const file = join(WORKSPACE_ROOT, name);
    const core = await readFile(file).catch(() => undefined);
    if (!core) continue;
    await rm(file);
    return core;
  }
  return undefined;
}

async function completeJob(): Promise<CreateJobResponse> {
  const created = await product.createJob(product.stack.tokens.both, 0.25);
  await product.pay(created.paymentAddress, '0.25');
  await product.completed(created.jobId, { timeoutMs: 180_000 });
  return created;
}

describe.runIf(process.platform === 'linux')(
  'a planted seed and planted API keys (design § 6)',
  { timeout: 400_000 },
  () => {
    it('are used by a completed job and failures', async () => {
      job = await completeJob();
      const { jobId } = job;
      answers = [
        ...(await sendOddRequests(running.stack, { key: PUBLIC_KEY, presented: OPERATOR_KEY, jobId })),
        ...(await sendOddRequests(running.stack, { key: OPERATOR_KEY, presented: PUBLIC_KEY, jobId })),
        ...(await sendOddRequests(running.stack, { key: OPERATOR_KEY, presented: OPERATOR_KEY, jobId })),
      ];
      expect(answers.some(({ status }) => status === 401)).toBe(true);
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    });

    it('appear in no answer', () => {
      const findings: Findings = {};
      for (const { what, text } of answers) note(findings, what, findNeedles(text, everything));
      expect(findings).toEqual({});
    });

    it('are in no other process’s memory', async () => {
      const findings: Findings = {};
      for (const name of ['token-validation', 'job', 'payment-watcher', 'mongod', 'nats-server']) {
        note(findings, name, await searchMemory(await pidOf(name), everything));
      }
      note(findings, 'api-gateway', await searchMemory(await pidOf('api-gateway'), [...seed, passphrase]));
      expect(findings).toEqual({});
      // A positive control: the executor holds the keys that it signs with.
      expect(await searchMemory(await pidOf('maker-executor'), seed)).not.toEqual([]);
    });

    it('are in no core file', async () => {
      const findings: Findings = {};
      for (const service of ['maker-executor', 'api-gateway'] as const) {
        const core = await crash(service);
        if (core) note(findings, service, findNeedles(core, everything));
        await running.restart(service);
      }
      expect(findings).toEqual({});
    });

    it('are printed by no failing service', async () => {
      const words = MNEMONIC.split(' ');
      const broken = join(folder, 'broken-seed');
      await writeFile(broken, [...words.slice(1), 'zzzz'].join(' '), { mode: 0o400 });
      const wrongPassphrase = join(folder, 'wrong-passphrase');
      await writeFile(wrongPassphrase, `${PASSPHRASE} and more`, { mode: 0o400 });
      const open = join(folder, 'open-seed');
      await writeFile(open, MNEMONIC);
      await chmod(open, 0o444);
      const encrypted = join(folder, 'seed.age');
      for (const environment of [
        { MAKER_SEED_FILE: broken },
        { MAKER_SEED_FILE: open },
        { MAKER_SEED_FILE: encrypted, MAKER_SEED_PASSPHRASE_FILE: wrongPassphrase },
      ]) {
        const failure = await running.restart('maker-executor', 0, environment).catch((error: Error) => error.message);
        expect(failure).toMatch(/ended with code 1/);
        expect(findNeedles(String(failure), everything)).toEqual([]);
      }
    });

    it('work from an encrypted seed file', async () => {
      const environment = {
        MAKER_SEED_FILE: join(folder, 'seed.age'),
        MAKER_SEED_PASSPHRASE_FILE: join(folder, 'passphrase'),
      };
      await running.restart('maker-executor', 0, environment);
      const second = await completeJob();
      expect(second.paymentAddress).not.toBe(job.paymentAddress);
    });

    it('are in no log, metric, database or store', async () => {
      const findings: Findings = {};
      for (const part of ['logs', 'nats', 'mongo'] as const) {
        for await (const [file, content] of contentsOf(part)) note(findings, file, findNeedles(content, everything));
      }
      const logs = await filesBelow(join(running.directory, 'logs'));
      expect(logs.length).toBeGreaterThanOrEqual(SERVICES.length + 2);
      for (const [service, ops] of Object.entries(running.stack.ops)) {
        for (const page of ['metrics', 'readyz', 'livez', 'nothing']) {
          const text = await (await fetch(`${ops}/${page}`)).text();
          note(findings, `${service} /${page}`, findNeedles(text, everything));
        }
      }
      const client = new MongoClient(running.stack.mongoUrl);
      try {
        const { databases } = await client.db().admin().listDatabases();
        for (const { name } of databases) {
          for (const collection of await client.db(name).collections()) {
            for await (const document of collection.find()) {
              note(
                findings,
                `${name}.${collection.collectionName}`,
                findNeedles(BSON.EJSON.stringify(document), everything),
              );
            }
          }
        }
        expect(databases.map(({ name }) => name)).toEqual(expect.arrayContaining(['job', 'maker_executor']));
      } finally {
        await client.close();
      }
      expect(findings).toEqual({});
    });
  },
);

describe.runIf(process.platform === 'linux')('the seed file (design § 6)', () => {
  it('is open in the executor only', async () => {
    const file = join(running.directory, 'secrets', 'seed');
    expect((await stat(file)).mode & 0o777).toBe(0o400);
    for (const service of SERVICES) {
      const { environment, command, files } = await describeProcess(await pidOf(service));
      expect(findNeedles(environment + command, everything), service).toEqual([]);
      expect(
        files.filter((path) => /seed|passphrase/.test(path)),
        service,
      ).toEqual([]);
      expect(/SEED|secrets\/seed|passphrase/i.test(environment + command), service).toBe(service === 'maker-executor');
    }
  });
});
