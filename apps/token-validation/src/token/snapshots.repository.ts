import { AMOUNT, COUNT, Connection, EntityCollection, EntitySchema, timeAs } from '@maker/persistence';
import { Injectable } from '@nestjs/common';
import { Schema } from 'mongoose';
import type { Address } from 'viem';
import type { TokenFacts } from './token-facts.ts';

/** Stored facts of a token. */
interface Snapshot extends Partial<Omit<Extract<TokenFacts, { kind: 'token' }>, 'kind'>> {
  /** In lower case. */
  readonly address: Address;
  readonly kind: TokenFacts['kind'];
  readonly readAtMs: number;
}

/** Age at which a snapshot that no request renewed is deleted, s. */
const KEPT_SECONDS = 24 * 60 * 60;

const schema = new EntitySchema<Snapshot, 'address'>(
  'liquidity_snapshots',
  {
    kind: String,
    token: Schema.Types.Mixed,
    pools: [{ exchangeId: String, kind: String, liquidityWei: AMOUNT, refusal: String }],
    trade: { exchangeId: String, kind: String, reason: String, step: String, lostBps: COUNT, buyGas: AMOUNT },
    readAtMs: timeAs('readAt'),
  },
  'address',
).index({ readAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });

/** Stores the last facts of each token, shared by all replicas of this service. */
@Injectable()
export class SnapshotsRepository {
  private readonly snapshots: EntityCollection<Snapshot, 'address'>;

  constructor(connection: Connection) {
    this.snapshots = new EntityCollection(connection, schema);
  }

  /** Facts of a token that were read within a time. A row of the future was written by a clock that has stepped back since. Both in ms. */
  async find(token: Address, sinceMs: number, untilMs: number): Promise<TokenFacts | undefined> {
    const [snapshot] = await this.snapshots.list({
      _id: token,
      readAt: { $gte: new Date(sinceMs), $lte: new Date(untilMs) },
    });
    return snapshot && factsOf(snapshot);
  }

  /** @param readAtMs ms */
  async save(token: Address, facts: TokenFacts, readAtMs: number): Promise<void> {
    const { _id, ...row } = schema.toRow({ address: token, ...facts, readAtMs });
    await this.snapshots.rows.collection.replaceOne({ _id: _id as never }, row, {
      upsert: true,
      ignoreUndefined: true,
    });
  }
}

function factsOf({ address: _address, readAtMs: _readAtMs, ...facts }: Snapshot): TokenFacts {
  return facts as TokenFacts;
}
