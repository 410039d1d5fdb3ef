import { readFile, stat } from 'node:fs/promises';
import { armor, Decrypter } from 'age-encryption';

const GROUP_OR_WORLD = 0o077;
const ARMOR_BEGINS = '-----BEGIN AGE ENCRYPTED FILE-----';
const AGE_BEGINS = 'age-encryption.org/';

/** A file with a secret is unusable; the message never contains its content. */
export class SeedFileError extends Error {
  readonly code = 'SEED_FILE_UNUSABLE';

  constructor(path: string, problem: string, name: string) {
    super(`${name} ${path} ${problem}`);
    this.name = 'SeedFileError';
  }
}

/** Names for errors about a file with a secret. */
interface SecretName {
  /** Name at the start of a sentence. */
  readonly file: string;
  /** Setting that names the file with its passphrase. */
  readonly passphraseSetting: string;
}

const SEED: SecretName = { file: 'Seed file', passphraseSetting: 'MAKER_SEED_PASSPHRASE_FILE' };
const OPERATOR_KEY: SecretName = { file: "The operator's key file", passphraseSetting: 'OPS_KEY_PASSPHRASE_FILE' };

/**
 * Reads the mnemonic from its file: as plain text or, with a configured passphrase, from a file encrypted by
 * `age --passphrase` (binary or `--armor`; https://age-encryption.org/v1). With a passphrase it refuses a plain file, since the
 * operator expects an encrypted one. Source: design § 6.
 * @param passphraseFile also of mode 0400; a line end after the passphrase is not part of it
 * @throws SeedFileError when one of the files is missing, readable by group or others, or of the wrong form
 */
export async function readSeedFile(path: string, passphraseFile?: string): Promise<string> {
  return readSecretFile(path, passphraseFile, SEED);
}

/** Reads an operator's key from its file, by the same rules. @throws SeedFileError */
export async function readOperatorKeyFile(path: string, passphraseFile?: string): Promise<string> {
  return readSecretFile(path, passphraseFile, OPERATOR_KEY);
}

async function readSecretFile(path: string, passphraseFile: string | undefined, name: SecretName): Promise<string> {
  const content = await readOwnFile(path, name);
  const isEncrypted = content.subarray(0, AGE_BEGINS.length).toString() === AGE_BEGINS || isArmored(content);
  if (passphraseFile === undefined) {
    if (isEncrypted) throw new SeedFileError(path, `is encrypted: set ${name.passphraseSetting}`, name.file);
    return content.toString('utf8');
  }
  if (!isEncrypted) throw new SeedFileError(path, 'is not encrypted by age, but a passphrase is configured', name.file);
  const passphrase = (await readOwnFile(passphraseFile, name)).toString('utf8').replace(/\r?\n$/, '');
  if (passphrase === '') throw new SeedFileError(passphraseFile, 'holds no passphrase', name.file);
  return decrypt(path, content, passphrase, name);
}

async function decrypt(path: string, content: Buffer, passphrase: string, name: SecretName): Promise<string> {
  const decrypter = new Decrypter();
  decrypter.addPassphrase(passphrase);
  try {
    const file = isArmored(content) ? armor.decode(content.toString('utf8')) : content;
    return await decrypter.decrypt(file, 'text');
  } catch {
    // The library's own message may contain parts of the file.
    throw new SeedFileError(path, 'cannot be decrypted: wrong passphrase, or a damaged file', name.file);
  }
}

function isArmored(content: Buffer): boolean {
  return content.toString('utf8').trimStart().startsWith(ARMOR_BEGINS);
}

async function readOwnFile(path: string, { file: name }: SecretName): Promise<Buffer> {
  const refuse = (error: NodeJS.ErrnoException) => {
    throw new SeedFileError(path, `cannot be read (${error.code})`, name);
  };
  const file = await stat(path).catch(refuse);
  if (!file.isFile()) throw new SeedFileError(path, 'is not a file', name);
  if ((file.mode & GROUP_OR_WORLD) !== 0) {
    throw new SeedFileError(
      path,
      `has mode 0${(file.mode & 0o777).toString(8)}: make it 0400, for its owner only`,
      name,
    );
  }
  return readFile(path).catch(refuse);
}
