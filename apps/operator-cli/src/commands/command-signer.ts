import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { operatorNameSchema, type SignedCommand, type SignedText } from '@maker/contracts';
import { publicKeyText, readPrivateKey, signCommand } from '@maker/signing/commands';
import { readOperatorKeyFile } from '@maker/signing/private';
import { UsageError } from '../command-error.ts';

/** What a command says beside what the signer adds to each. */
export type Said<Text = SignedText> = Text extends unknown ? Omit<Text, 'chainId' | 'nonce' | 'expiresAt'> : never;

/** Signs commands with an operator's own key, which is on their machine alone. Source: design § 6. */
export class CommandSigner {
  readonly #operator: string;
  readonly #chainId: number;
  readonly #key: KeyObject;

  private constructor(operator: string, chainId: number, key: KeyObject) {
    this.#operator = operator;
    this.#chainId = chainId;
    this.#key = key;
  }

  /**
   * The operator `OPS_OPERATOR` with the key in `OPS_KEY_FILE` (and `OPS_KEY_PASSPHRASE_FILE`), for the chain `OPS_CHAIN_ID`:
   * named here and not asked of the API, so that whoever owns that one can have nothing signed for another chain.
   * @throws UsageError where one of them is missing @throws SeedFileError @throws OperatorKeyError
   */
  static async ofEnvironment(environment: NodeJS.ProcessEnv = process.env): Promise<CommandSigner> {
    const { OPS_OPERATOR, OPS_KEY_FILE, OPS_KEY_PASSPHRASE_FILE, OPS_CHAIN_ID } = environment;
    const chainId = Number(OPS_CHAIN_ID);
    if (!OPS_OPERATOR || !OPS_KEY_FILE || !Number.isInteger(chainId) || chainId <= 0)
      throw new UsageError('this command is signed: set OPS_OPERATOR, OPS_KEY_FILE and OPS_CHAIN_ID (docs/keys.md)');
    const operator = operatorNameSchema.safeParse(OPS_OPERATOR);
    if (!operator.success) throw new UsageError(`OPS_OPERATOR '${OPS_OPERATOR}' is not the name of an operator`);
    const key = readPrivateKey(await readOperatorKeyFile(OPS_KEY_FILE, OPS_KEY_PASSPHRASE_FILE || undefined));
    return new CommandSigner(operator.data, chainId, key);
  }

  /** @param validForMs how long it may be carried out */
  sign(said: Said, validForMs: number): SignedCommand {
    const expiresAt = new Date(Date.now() + validForMs).toISOString();
    return this.countersign({
      text: JSON.stringify({ ...said, chainId: this.#chainId, nonce: randomUUID(), expiresAt }),
      signatures: [],
    });
  }

  /** Puts this operator's signature under a command beside the others'. */
  countersign({ text, signatures }: SignedCommand): SignedCommand {
    const own = { operator: this.#operator, signature: signCommand(text, this.#key) };
    return { text, signatures: [...signatures, own] };
  }
}

/** Makes an operator's key in a file that only its owner may read. @returns its public half @throws UsageError */
export async function makeOperatorKey(path: string): Promise<string> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
  await writeFile(path, pem, { mode: 0o400, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path} cannot be written (${error.code ?? 'unknown error'}); a file that exists is kept`);
  });
  return publicKeyText(privateKey);
}
