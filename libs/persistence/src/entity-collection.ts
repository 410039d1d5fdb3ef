import type { ClientSession, Connection, Model, mongo, QueryFilter } from 'mongoose';
import type { EntitySchema } from './entity-schema.ts';

/** A row of an entity of any kind. */
interface EntityRow {
  _id: string;
  [field: string]: unknown;
}

/** Entities of one kind in the service's own database. */
export class EntityCollection<Entity extends object, Id extends keyof Entity = 'id' & keyof Entity> {
  /** Mongoose's model, for operations that the methods below do not cover. */
  readonly rows: Model<EntityRow>;

  constructor(
    connection: Connection,
    private readonly schema: EntitySchema<Entity, Id>,
  ) {
    this.rows = connection.model<EntityRow>(schema.get('collection') as string, schema as never);
  }

  /**
   * Writes directly by the driver: our own types are checked, so mongoose need not cast, and its documents cost several times as much
   * as the rows. It leaves out undefined fields. @throws the duplicate key error of Mongo; see `isDuplicateKey`
   */
  async insert(entities: readonly Entity[], session: ClientSession): Promise<void> {
    if (entities.length === 0) return;
    const rows = entities.map((entity) => this.schema.toRow(entity));
    await this.rows.collection.insertMany(rows as never[], { session, ignoreUndefined: true });
  }

  async list(
    filter: QueryFilter<EntityRow>,
    {
      session = null,
      ...options
    }: Pick<mongo.FindOptions, 'sort' | 'limit' | 'hint' | 'collation'> & { session?: ClientSession | null } = {},
  ): Promise<Entity[]> {
    const rows = await this.rows.find(filter, null, options).session(session).lean<EntityRow[]>();
    return rows.map((row) => this.schema.toEntity(row));
  }

  /** Yields all matching entities one by one; without `sort` in no defined order. */
  async *each(filter: QueryFilter<EntityRow>, sort: Readonly<Record<string, 1 | -1>> = {}): AsyncGenerator<Entity> {
    for await (const row of this.rows.find(filter).sort(sort).lean<EntityRow>().cursor())
      yield this.schema.toEntity(row);
  }

  /** Sums `amountWei` by another field in the database: exact to 34 digits, which is more than a billion HYPE. */
  async amountWeiSumsBy<Key extends string>(
    field: Entity extends { readonly amountWei: bigint } ? keyof Entity & string : never,
    filter: object,
    session: ClientSession | null = null,
  ): Promise<ReadonlyMap<Key, bigint>> {
    const sums = await this.rows
      .aggregate<{ _id: Key; wei: mongo.Decimal128 }>([
        { $match: filter },
        { $group: { _id: `$${field}`, wei: { $sum: { $toDecimal: '$amountWei' } } } },
      ])
      .session(session);
    return new Map(sums.map(({ _id, wei }) => [_id, BigInt(wei.toString())]));
  }

  /** Writes like {@link insert}. @param update already in stored form @returns number of matching rows */
  async update(
    filter: object,
    update: {
      readonly $set?: object;
      readonly $unset?: Readonly<Record<string, 1>>;
      readonly $push?: object;
      readonly $pull?: object;
      readonly $inc?: Readonly<Record<string, number>>;
      /** Times by the database's clock. */
      readonly $currentDate?: Readonly<Record<string, true>>;
    },
    session?: ClientSession,
  ): Promise<number> {
    const { matchedCount } = await this.rows.collection.updateMany(
      filter,
      update as mongo.UpdateFilter<mongo.Document>,
      { ...(session && { session }), ignoreUndefined: true },
    );
    return matchedCount;
  }
}
