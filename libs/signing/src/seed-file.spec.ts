import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { armor, Encrypter } from 'age-encryption';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountXpub } from './mnemonic.ts';
import { readOperatorKeyFile, readSeedFile, SeedFileError } from './seed-file.ts';
import { SeedKeyring } from './seed-keyring.ts';

const MNEMONIC = 'test test test test test test test test test test test junk';
const PASSPHRASE = 'canary-passphrase of several words';

/** Output of the reference tool: `age --passphrase --armor`, version 1.1.1, with the passphrase 'fixed-vector'. */
const WRITTEN_BY_AGE = `-----BEGIN AGE ENCRYPTED FILE-----
YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IHNjcnlwdCA4TWZHa3M1MVJwRmIwOXM5
eDJhaGlRIDE4ClVsbVRnUVd2ZzhTMmw5bm92bDhEQ0dwbmJlczl2WXZDWnh1cVZu
bjlnbU0KLS0tIGJhVzFSZG5PSVgxWnl2eFk5VldFV0J6SitrYjBQeXdHcytDWndr
SUc2L1UK/TdIMBSvRY4o/0uhw6e2QX2KsAL4QsCL4ElVV4VKteAWnXCMdDGCR2uJ
EPZsHtS/7DWQs2yJX+UVpJ57/UoCikeUlBZiLDEdZMX7JhCX+OoUY2MK5YqvgIzE
X4c=
-----END AGE ENCRYPTED FILE-----
`;

let directory: string;
let plain: string;
let encrypted: string;
let armored: string;
let passphrase: string;

async function write(name: string, content: string | Uint8Array, mode = 0o400): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, content, { mode });
  return path;
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'maker-seed-'));
  const encrypter = new Encrypter();
  encrypter.setPassphrase(PASSPHRASE);
  encrypter.setScryptWorkFactor(10);
  const file = await encrypter.encrypt(`${MNEMONIC}\n`);
  plain = await write('plain', `${MNEMONIC}\n`);
  encrypted = await write('encrypted', file);
  armored = await write('armored', armor.encode(file));
  passphrase = await write('passphrase', `${PASSPHRASE}\n`);
});

afterAll(() => rm(directory, { recursive: true }));

describe('an encrypted seed file (design § 6)', () => {
  it('opens binary or armored with its passphrase', async () => {
    for (const path of [encrypted, armored]) {
      const keyring = await SeedKeyring.fromFile(path, passphrase);
      expect(keyring.accountXpub).toBe(accountXpub(MNEMONIC));
    }
  });

  it('opens the reference tool’s output', async () => {
    const path = await write('written-by-age', WRITTEN_BY_AGE);
    expect(await readSeedFile(path, await write('fixed-vector', 'fixed-vector'))).toBe(`${MNEMONIC}\n`);
  });

  it('rejects a missing or wrong passphrase silently', async () => {
    await expect(readSeedFile(encrypted)).rejects.toThrow(/is encrypted: set MAKER_SEED_PASSPHRASE_FILE/);
    await expect(readSeedFile(armored)).rejects.toThrow(/is encrypted/);
    const failure = readSeedFile(encrypted, await write('wrong', 'canary-wrong'));
    await expect(failure).rejects.toThrow(SeedFileError);
    await expect(failure).rejects.toThrow(/wrong passphrase, or a damaged file/);
    await expect(failure).rejects.not.toThrow(/canary|junk/);
  });

  it('is refused when it was damaged', async () => {
    const content = await readFile(encrypted);
    content[content.length - 1] = (content.at(-1) ?? 0) ^ 1;
    await expect(readSeedFile(await write('damaged', content), passphrase)).rejects.toThrow(/damaged/);
  });

  it('opens armored variants', async () => {
    const encrypter = new Encrypter();
    encrypter.setPassphrase('two\nlines');
    encrypter.setScryptWorkFactor(10);
    const path = await write('two-lines', `\n${armor.encode(await encrypter.encrypt(MNEMONIC))}`);
    for (const end of ['', '\n', '\r\n'])
      expect(await readSeedFile(path, await write(`passphrase-${end.length}`, `two\nlines${end}`))).toBe(MNEMONIC);
  });

  it('is refused by name and code, with its path', async () => {
    await expect(readSeedFile(directory)).rejects.toMatchObject({
      name: 'SeedFileError',
      code: 'SEED_FILE_UNUSABLE',
      message: `Seed file ${directory} is not a file`,
    });
    await expect(readSeedFile(join(directory, 'none'))).rejects.toThrow('none cannot be read (ENOENT)');
  });

  it('must be encrypted where a passphrase is configured', async () => {
    await expect(readSeedFile(plain, passphrase)).rejects.toThrow(/is not encrypted/);
  });

  it('checks the passphrase file like the seed’s', async () => {
    await expect(readSeedFile(encrypted, join(directory, 'none'))).rejects.toThrow(/ENOENT/);
    await expect(readSeedFile(encrypted, await write('empty', '\n'))).rejects.toThrow(/no passphrase/);
    const open = await write('open', PASSPHRASE);
    await chmod(open, 0o444);
    await expect(readSeedFile(encrypted, open)).rejects.toThrow(/mode 0444/);
  });
});

describe("the file with an operator's key", () => {
  it('is read by the same rules', async () => {
    expect(await readOperatorKeyFile(plain)).toBe(`${MNEMONIC}\n`);
    expect(await readOperatorKeyFile(encrypted, passphrase)).toBe(`${MNEMONIC}\n`);
  });

  it('is named with the missing setting', async () => {
    await expect(readOperatorKeyFile(encrypted)).rejects.toThrow(
      `The operator's key file ${encrypted} is encrypted: set OPS_KEY_PASSPHRASE_FILE`,
    );
  });
});
