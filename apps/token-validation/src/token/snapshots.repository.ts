import type { ExchangeKind, PoolRefusal, TaxedStep, TokenMetadata, TradeVerdict } from '@maker/chain';
import { Connection, rowSchema } from '@maker/persistence';
import { Injectable } from '@nestjs/common';
import { type Model, Schema } from 'mongoose';
import type { Address } from 'viem';
import type { TokenFacts, TradeFact } from './token-facts.ts';

interface TradeRow {
  exchangeId: string;
  kind: TradeVerdict['kind'];
  reason?: string;
  step?: TaxedStep;
  lostBps?: number;
  buyGas?: string;
}

/** Facts as kept: amounts as decimal strings. */
interface SnapshotRow {
  /** Token address in lower case. */
  _id: string;
  kind: TokenFacts['kind'];
  token?: TokenMetadata;
  pools?: { exchangeId: string; kind: ExchangeKind; liquidityWei: string; refusal?: PoolRefusal }[];
  trade?: TradeRow;
  readAt: Date;
}

/** A snapshot that nobody asked for again is forgotten. */
const KEPT_SECONDS = 24 * 60 * 60;

const schema = rowSchema<SnapshotRow>('liquidity_snapshots', {
  _id: String,
  kind: { type: String, required: true },
  token: Schema.Types.Mixed,
  pools: { type: Schema.Types.Mixed },
  trade: Schema.Types.Mixed,
  readAt: { type: Date, required: true },
});
schema.index({ readAt: 1 }, { expireAfterSeconds: KEPT_SECONDS });

/** What was last read of each token, shared by all replicas of this service. */
@Injectable()
export class SnapshotsRepository {
  private readonly rows: Model<SnapshotRow>;

  constructor(connection: Connection) {
    this.rows = connection.model<SnapshotRow>('LiquiditySnapshot', schema);
  }

  /** What was read of a token at or after a time. @param sinceMs ms */
  async find(token: Address, sinceMs: number): Promise<TokenFacts | undefined> {
    const row = await this.rows.findOne({ _id: token, readAt: { $gte: new Date(sinceMs) } }).lean<SnapshotRow>();
    return row ? factsOf(row) : undefined;
  }

  /** @param readAtMs ms */
  async save(token: Address, facts: TokenFacts, readAtMs: number): Promise<void> {
    await this.rows.replaceOne({ _id: token }, rowOf(token, facts, readAtMs), { upsert: true });
  }
}

function rowOf(token: Address, facts: TokenFacts, readAtMs: number): SnapshotRow {
  const row = { _id: token, kind: facts.kind, readAt: new Date(readAtMs) };
  if (facts.kind !== 'token') return row;
  return {
    ...row,
    token: facts.token,
    pools: facts.pools.map((pool) => ({ ...pool, liquidityWei: pool.liquidityWei.toString() })),
    ...(facts.trade && { trade: tradeRowOf(facts.trade) }),
  };
}

function tradeRowOf({ exchangeId, verdict }: TradeFact): TradeRow {
  if (verdict.kind === 'tradable') return { exchangeId, kind: verdict.kind, buyGas: verdict.buyGas.toString() };
  if (verdict.kind !== 'fee_on_transfer') return { exchangeId, ...verdict };
  const { kind, step, lostBps } = verdict;
  return { exchangeId, kind, step, ...(lostBps !== undefined && { lostBps: Number(lostBps) }) };
}

function factsOf(row: SnapshotRow): TokenFacts {
  if (row.kind !== 'token') return { kind: row.kind };
  const { token, pools = [], trade } = row;
  if (!token) throw new TypeError(`Snapshot of ${row._id} says 'token' and has none`);
  return {
    kind: 'token',
    token,
    pools: pools.map((pool) => ({ ...pool, liquidityWei: BigInt(pool.liquidityWei) })),
    ...(trade && { trade: tradeOf(trade) }),
  };
}

function tradeOf({ exchangeId, ...row }: TradeRow): TradeFact {
  return { exchangeId, verdict: verdictOf(row) };
}

function verdictOf({
  kind,
  reason = '',
  step = 'transfer',
  lostBps,
  buyGas = '0',
}: Omit<TradeRow, 'exchangeId'>): TradeVerdict {
  if (kind === 'tradable') return { kind, buyGas: BigInt(buyGas) };
  if (kind !== 'fee_on_transfer') return { kind, reason };
  return { kind, step, ...(lostBps !== undefined && { lostBps: BigInt(lostBps) }) };
}
