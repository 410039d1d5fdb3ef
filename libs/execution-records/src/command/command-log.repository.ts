import type { CommandLogRow } from '@maker/contracts';
import { type Connection, EntityCollection, EntitySchema } from '@maker/persistence';
import { FIRST_HASH, hashOfRow } from '@maker/signing/commands';
import { type ClientSession, Schema } from 'mongoose';

/** Writes the outcome of a command, in the transaction of its changes. */
export type WriteOutcome = (outcome: string, session: ClientSession) => Promise<void>;

interface StoredRow extends CommandLogRow {
  /** `number` in nine digits. */
  readonly id: string;
  readonly nonce: string;
}

const schema = new EntitySchema<StoredRow>('operator_commands', {
  nonce: String,
  number: Number,
  at: String,
  text: String,
  signatures: [Schema.Types.Mixed],
  outcome: String,
  previousHash: String,
  hash: String,
}).index({ nonce: 1 }, { unique: true });

type CarriedOut = Pick<StoredRow, 'nonce' | 'text' | 'signatures' | 'outcome'> & { readonly at: Date };

/**
 * The log of signed commands, in the order of their execution. Each row has the hash of the row before: a changed or removed row
 * breaks every later one. The log has each nonce once, so a command works only once.
 */
export class CommandLog {
  private readonly stored: EntityCollection<StoredRow>;

  constructor(connection: Connection) {
    this.stored = new EntityCollection(connection, schema);
  }

  async has(nonce: string): Promise<boolean> {
    return (await this.stored.list({ nonce }, { limit: 1 })).length > 0;
  }

  /** @throws MongoDB's duplicate key error if the nonce was used */
  async append({ nonce, at, text, signatures, outcome }: CarriedOut, session: ClientSession): Promise<void> {
    const [last] = await this.stored.list({}, { sort: { _id: -1 }, limit: 1, session });
    const number = (last?.number ?? 0) + 1;
    const previousHash = last?.hash ?? FIRST_HASH;
    const row = { number, at: at.toISOString(), text, signatures, outcome, previousHash };
    const id = String(number).padStart(9, '0');
    await this.stored.insert([{ id, nonce, ...row, hash: hashOfRow(row) }], session);
  }

  /** Rows after a number, oldest first. */
  async list(after: number, limit: number): Promise<CommandLogRow[]> {
    const rows = await this.stored.list({ number: { $gt: after } }, { sort: { _id: 1 }, limit });
    return rows.map(({ id: _, nonce: _nonce, ...row }) => row);
  }
}
