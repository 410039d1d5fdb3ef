import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publicKeyText, readPrivateKey } from '@maker/signing/commands';
import { accountXpub } from '@maker/signing/private';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runOps } from '../run-ops.fixture.ts';
import { SERVER_USERS } from './product-keys.ts';

const PHRASE = 'test test test test test test test test test test test junk';

let folder: string;
let seedFile: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keys-'));
  seedFile = join(folder, 'seed');
  await writeFile(seedFile, `${PHRASE}\n`, { mode: 0o400 });
});
afterAll(() => rm(folder, { recursive: true }));

const printed = async (...args: string[]) => (await runOps(args)).output;
const secretOf = async (...args: string[]) => JSON.parse(await printed('secrets', ...args));

describe('seed new', () => {
  it('writes a phrase of 24 words for its owner alone', async () => {
    const path = join(folder, 'new');
    const output = await printed('seed', 'new', path);
    const phrase = await readFile(path, 'utf8');
    expect(phrase.trim().split(' ')).toHaveLength(24);
    expect((await stat(path)).mode & 0o777).toBe(0o400);
    expect(output).toContain(accountXpub(phrase));
    expect(output).not.toContain(phrase.trim());
  });

  it('keeps a file that exists', async () => {
    await expect(printed('seed', 'new', seedFile)).rejects.toThrow(`${seedFile} cannot be written (EEXIST)`);
    expect(await readFile(seedFile, 'utf8')).toBe(`${PHRASE}\n`);
  });

  it.each([[['new']], [['old', 'x']], [['new', 'x', 'y']]])('refuses %j', async (args) => {
    await expect(printed('seed', ...args)).rejects.toThrow(/missing|unknown|too many/);
  });
});

describe.each([
  ['seed new', ['seed', 'new']],
  ['new-key', ['new-key']],
])('%s', (_name, words) => {
  it('writes no private key into a checkout', async () => {
    const checkout = join(folder, 'checkout');
    await mkdir(join(checkout, '.git'), { recursive: true });
    await mkdir(join(checkout, 'deep'), { recursive: true });
    for (const path of [join(checkout, 'ana.key'), join(checkout, 'deep', 'ana.key')]) {
      await expect(printed(...words, path)).rejects.toThrow(
        `${path} is in the checkout ${checkout}, where it could be committed; name a file outside, such as ~/ana.key`,
      );
      await expect(stat(path)).rejects.toThrow('ENOENT');
    }
  });
});

describe('xpub', () => {
  it('prints the account key of a seed file', async () => {
    expect(await printed('xpub', '--seed', seedFile)).toBe(`${accountXpub(PHRASE)}\n`);
  });

  it.each([
    ['no file', [], "required option '--seed <file>'"],
    ['a missing file', ['--seed', '/nowhere/seed'], '/nowhere/seed cannot be read (ENOENT)'],
  ])('refuses %s', async (_what, args, words) => {
    await expect(printed('xpub', ...args)).rejects.toThrow(words);
  });
});

describe('secrets', () => {
  it('prints one Secret with a matching seed and xpub', async () => {
    const { kind, apiVersion, metadata, stringData } = await secretOf('--name', 'own', '--namespace', 'there');
    expect({ kind, apiVersion, metadata }).toMatchObject({
      kind: 'Secret',
      apiVersion: 'v1',
      metadata: { name: 'own', namespace: 'there', annotations: { 'helm.sh/resource-policy': 'keep' } },
    });
    expect(stringData.xpub).toBe(accountXpub(stringData.mnemonic));
    expect(Object.keys(stringData).sort()).toEqual(
      [
        ...['agreement-key', 'agreement-signers', 'api-keys.json', 'mnemonic'],
        ...['operator-api-key', 'site-api-key', 'xpub'],
        ...SERVER_USERS.flatMap((service) => [`mongodb-${service}`, `nats-${service}`]),
      ].sort(),
    );
  });

  it('lists the hash of both API keys with their scopes', async () => {
    const { stringData } = await secretOf();
    const sha256 = (key: string) => createHash('sha256').update(key).digest('hex');
    expect(JSON.parse(stringData['api-keys.json'])).toEqual([
      { name: 'web', sha256: sha256(stringData['site-api-key']), scopes: ['public'] },
      { name: 'operator', sha256: sha256(stringData['operator-api-key']), scopes: ['public', 'operator'] },
    ]);
  });

  it('uses the seed in a file', async () => {
    const { stringData } = await secretOf('--seed', seedFile);
    expect(stringData).toMatchObject({ mnemonic: PHRASE, xpub: accountXpub(PHRASE) });
  });

  it('adds the keys of an operator for an evaluation', async () => {
    const { stringData } = await secretOf('--operator', 'ana');
    const own = publicKeyText(readPrivateKey(stringData['operator.key']));
    expect(stringData['operator-keys']).toBe(`ana:${own}`);
  });

  it('gives the servers only the services’ passwords', async () => {
    const list = await secretOf('--nats-namespace', 'broker', '--mongodb-namespace', 'database');
    expect(list).toMatchObject({ kind: 'List', apiVersion: 'v1' });
    const [product, nats, mongodb, ...more] = list.items;
    expect(more).toEqual([]);
    expect(nats.metadata).toMatchObject({ name: 'nats-passwords', namespace: 'broker' });
    expect(mongodb.metadata).toMatchObject({ name: 'mongodb-passwords', namespace: 'database' });
    expect(Object.keys(nats.stringData)).toHaveLength(SERVER_USERS.length);
    expect(Object.keys(mongodb.stringData)).toEqual(['administrator', ...SERVER_USERS]);
    expect(nats.stringData.NATS_MAKER_EXECUTOR_PASSWORD).toBe(product.stringData['nats-maker-executor']);
    expect(mongodb.stringData['maker-executor']).toBe(product.stringData['mongodb-maker-executor']);
  });

  it('makes passwords that need no URL encoding', async () => {
    const { stringData } = await secretOf();
    const made = SERVER_USERS.flatMap((service) => [stringData[`nats-${service}`], stringData[`mongodb-${service}`]]);
    for (const password of made) expect(password).toMatch(/^[\w-]{32}$/);
    expect(new Set(made).size).toBe(made.length);
  });

  it('makes other keys each time', async () => {
    const [one, other] = [await secretOf(), await secretOf()];
    for (const key of ['mnemonic', 'site-api-key', 'operator-api-key', 'nats-job', 'mongodb-job'])
      expect(one.stringData[key]).not.toBe(other.stringData[key]);
  });

  it('warns you to back up the seed', async () => {
    expect((await runOps(['secrets'])).reported.join()).toContain('Back up the seed');
  });

  it.each([
    ['an unknown option', ['--seeds', 'x'], "unknown option '--seeds'"],
    ['an operator with a comma', ['--operator', 'a,b'], "'a,b' is not the name of an operator"],
  ])('refuses %s', async (_what, args, words) => {
    await expect(printed('secrets', ...args)).rejects.toThrow(words);
  });
});
