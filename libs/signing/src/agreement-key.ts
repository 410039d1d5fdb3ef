import { readFile, stat } from 'node:fs/promises';
import {
  type Agreement,
  type Amendment,
  MOST_AMENDMENTS,
  type SignedAgreement,
  type SignedTerms,
} from '@maker/contracts';
import type { Address, Hex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { agreementHash, agreementTypedData, amendmentHash, amendmentTypedData } from './agreement-typed-data.ts';

const GROUP_OR_WORLD = 0o077;

/** The file holds no key of agreements; the message never contains its content. */
export class AgreementKeyError extends Error {
  readonly code = 'AGREEMENT_KEY_UNUSABLE';

  constructor(path: string, problem: string) {
    super(`The key of agreements ${path} ${problem}`);
    this.name = 'AgreementKeyError';
  }
}

/** The terms that an amendment may change. Absent: not changed. */
export type AmendedTerms = Partial<Pick<Amendment, 'returnAddress' | 'leastWei' | 'activation'>>;

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

  /**
   * Adds an amendment that follows the last one. The caller has checked who may make it, and verified the terms before.
   * @param at time of the change, ms @returns undefined if the terms have as many amendments as they may have
   */
  async amend(terms: SignedTerms, change: AmendedTerms, at: number): Promise<SignedTerms | undefined> {
    const { agreement, amendments } = terms;
    // The last place is for the activation.
    if (amendments.length >= MOST_AMENDMENTS - (change.activation ? 0 : 1)) return undefined;
    const last = amendments.at(-1)?.amendment;
    const amendment: Amendment = {
      jobId: agreement.jobId,
      sequence: amendments.length + 1,
      previous: last ? amendmentHash(last, agreement.chainId) : agreementHash(agreement),
      returnAddress: null,
      leastWei: null,
      activation: null,
      ...change,
      createdAt: new Date(at).toISOString(),
    };
    const signature = await this.#account.signTypedData(amendmentTypedData(amendment, agreement.chainId));
    return { ...terms, amendments: [...amendments, { amendment, signature }] };
  }
}
