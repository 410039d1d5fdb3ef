import { readFile, stat } from 'node:fs/promises';
import type { Agreement, SignedAgreement } from '@maker/contracts';
import type { Address, Hex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { agreementTypedData } from './agreement.ts';

const GROUP_OR_WORLD = 0o077;

/** The file holds no key of agreements; the message never contains its content. */
export class AgreementKeyError extends Error {
  readonly code = 'AGREEMENT_KEY_UNUSABLE';

  constructor(path: string, problem: string) {
    super(`The key of agreements ${path} ${problem}`);
    this.name = 'AgreementKeyError';
  }
}

/** The key with which the job service signs agreements. It signs nothing else, and opens no wallet. Source: docs/adr/0145. */
export class AgreementKey {
  readonly #account: PrivateKeyAccount;

  private constructor(account: PrivateKeyAccount) {
    this.#account = account;
  }

  /** Reads a key of `0x` and 64 hexadecimal digits. @throws AgreementKeyError */
  static async read(path: string): Promise<AgreementKey> {
    const [file, text] = await Promise.all([stat(path), readFile(path, 'utf8')]).catch(
      (error: NodeJS.ErrnoException) => {
        throw new AgreementKeyError(path, `cannot be read (${error.code ?? 'unknown error'})`);
      },
    );
    if ((file.mode & GROUP_OR_WORLD) !== 0)
      throw new AgreementKeyError(path, 'is readable by a group or others: set its mode to 0400');
    return AgreementKey.of(text.trim(), path);
  }

  /** @throws AgreementKeyError */
  static of(text: string, path = ''): AgreementKey {
    try {
      if (/^0x[0-9a-fA-F]{64}$/.test(text)) return new AgreementKey(privateKeyToAccount(text as Hex));
    } catch {
      // The library's own message may contain parts of the key.
    }
    throw new AgreementKeyError(path, 'holds no private key: 0x and 64 hexadecimal digits');
  }

  get address(): Address {
    return this.#account.address;
  }

  async sign(agreement: Agreement): Promise<SignedAgreement> {
    return { agreement, signature: await this.#account.signTypedData(agreementTypedData(agreement)) };
  }
}
