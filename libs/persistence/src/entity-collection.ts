import type { ClientSession, Connection, Model, mongo, QueryFilter } from 'mongoose';
import type { EntitySchema } from './entity-schema.ts';

/** A row of any entity. */
interface EntityRow {
  _id: string;
  [field: string]: unknown;
}

/** Entities of one kind in the service's own database. */
export class EntityCollection<Entity extends object, Id extends keyof Entity = 'id' & keyof Entity> {
  /** For what the methods below do not cover. */
  readonly rows: Model<EntityRow>;

  constructor(
    connection: Connection,
    private readonly schema: EntitySchema<Entity, Id>,
  ) {
    this.rows = connection.model<EntityRow>(schema.get('collection') as string, schema as never);
  }

  /**
   * Writes by the driver itself: our own types are checked, so that nothing has to be cast, and mongoose's documents cost several times
   * what the rows do. What is undefined is left out. @throws the duplicate key error of Mongo; see `isDuplicateKey`
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

  /** All that match, one by one; without `sort` in no order. */
  async *each(filter: QueryFilter<EntityRow>, sort: Readonly<Record<string, 1 | -1>> = {}): AsyncGenerator<Entity> {
    for await (const row of this.rows.find(filter).sort(sort).lean<EntityRow>().cursor())
      yield this.schema.toEntity(row);
  }

  /** Sums of `amountWei` by another field, made in the database: of 34 digits, a billion HYPE and more, exactly. */
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

  /** Writes as {@link insert} does. @param update already in stored form @returns how many matched */
  async update(
    filter: object,
    update: {
      readonly $set?: object;
      readonly $unset?: Readonly<Record<string, 1>>;
      readonly $push?: object;
      readonly $pull?: object;
      readonly $inc?: Readonly<Record<string, number>>;
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
