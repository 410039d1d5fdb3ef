import { open, readFile } from 'node:fs/promises';
import type { Address, Hash, Hex } from 'viem';
import { RecoveryError } from './recovery-error.ts';

/** HYPE, or the address of a token. */
export type Asset = 'HYPE' | Address;

export type JournalEntry =
  | { readonly kind: 'opened'; readonly plan: string; readonly operator: string; readonly reason: string }
  | {
      readonly kind: 'signed';
      readonly wallet: Address;
      readonly asset: Asset;
      readonly to: Address;
      /** Wei, or the token's smallest unit. */
      readonly amount: string;
      readonly nonce: number;
      readonly maxFeePerGasWei: string;
      readonly hash: Hash;
      readonly rawTransaction: Hex;
    }
  | {
      readonly kind: 'mined';
      readonly wallet: Address;
      readonly asset: Asset;
      readonly hash: Hash;
      readonly status: 'success' | 'reverted';
      readonly blockNumber: number;
      readonly gasWei: string;
    }
  | { readonly kind: 'skipped'; readonly wallet: Address; readonly asset: Asset; readonly because: string };

export type SignedEntry = Extract<JournalEntry, { kind: 'signed' }>;

/**
 * The audit log of one plan's returns. It also makes each return happen once: a run writes signed bytes to the disk before it
 * broadcasts them, and a later run continues with them. Lines are only appended.
 */
export class RecoveryJournal {
  readonly #path: string;
  readonly #entries: JournalEntry[] = [];
  #bytes = 0;

  private constructor(path: string) {
    this.#path = path;
  }

  /**
   * Opens or creates the journal of a plan, by the plan's hash.
   * @throws RecoveryError if the file belongs to another plan or is damaged
   */
  static async open(
    path: string,
    opening: { plan: string; operator: string; reason: string },
  ): Promise<RecoveryJournal> {
    const journal = new RecoveryJournal(path);
    await journal.#read();
    const [first] = journal.#entries;
    if (first && (first.kind !== 'opened' || first.plan !== opening.plan)) {
      throw new RecoveryError(`the journal ${path} belongs to another plan; each plan has a journal of its own`);
    }
    await journal.append({ kind: 'opened', ...opening });
    return journal;
  }

  get entries(): readonly JournalEntry[] {
    return this.#entries;
  }

  /** Appends a line and syncs it to the disk. @throws RecoveryError if another run writes the same journal */
  async append(entry: JournalEntry): Promise<void> {
    const file = await open(this.#path, 'a', 0o600);
    try {
      if ((await file.stat()).size !== this.#bytes) {
        throw new RecoveryError(`another run writes the journal ${this.#path}: let it finish first`);
      }
      const line = Buffer.from(`${JSON.stringify({ at: new Date().toISOString(), ...entry })}\n`);
      await file.appendFile(line);
      await file.sync();
      this.#bytes += line.length;
    } finally {
      await file.close();
    }
    this.#entries.push(entry);
  }

  async #read(): Promise<void> {
    const content = await readFile(this.#path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return Buffer.alloc(0);
      throw new RecoveryError(`the journal ${this.#path} cannot be read (${error.code ?? 'unknown error'})`);
    });
    this.#bytes = content.length;
    const lines = content.toString('utf8').split('\n');
    if (lines.pop() !== '') {
      throw new RecoveryError(
        `the last line of ${this.#path} is unfinished: its bytes were never sent, so remove that line`,
      );
    }
    this.#entries.push(...lines.map((line, at) => this.#parse(line, at + 1)));
  }

  #parse(line: string, number: number): JournalEntry {
    try {
      return JSON.parse(line) as JournalEntry;
    } catch {
      throw new RecoveryError(`line ${number} of the journal ${this.#path} cannot be read`);
    }
  }
}
