import type { ClientSession, Connection, mongo } from 'mongoose';
import { fromStored, type Stored, toStored } from './stored.ts';

type Row = mongo.Document & { _id: string };

/** Documents of one kind in the service's own database: `id` is Mongo's `_id`, and money is decimal strings. */
export class StoredCollection<Entity extends { readonly id: string }> {
  /** For what the methods below do not cover. */
  readonly rows: mongo.Collection<Row>;

  constructor(connection: Connection, name: string) {
    this.rows = connection.getClient().db(connection.name).collection<Row>(name);
  }

  /** @throws the duplicate key error of Mongo; see `isDuplicateKey` */
  async insert(entities: readonly Entity[], session: ClientSession): Promise<void> {
    if (entities.length === 0) return;
    await this.rows.insertMany(
      entities.map(({ id, ...rest }) => ({ _id: id, ...toStored<object>(rest) })),
      { session },
    );
  }

  async list(
    filter: mongo.Filter<Row>,
    options: Pick<mongo.FindOptions, 'sort' | 'limit' | 'session'> = {},
  ): Promise<Entity[]> {
    const rows = await this.rows.find(filter, options).toArray();
    return rows.map(toEntity<Entity>);
  }

  /** All that match, one by one; without `sort` in no order. */
  async *each(filter: mongo.Filter<Row>, sort?: mongo.Sort): AsyncGenerator<Entity> {
    for await (const row of this.rows.find(filter, sort ? { sort } : {})) yield toEntity<Entity>(row);
  }

  /** @param update already in stored form @returns how many matched */
  async update(
    filter: mongo.Filter<Row>,
    update: { readonly $set?: object; readonly $push?: object; readonly $inc?: object },
    session: ClientSession,
  ): Promise<number> {
    const { matchedCount } = await this.rows.updateMany(filter, update as mongo.UpdateFilter<Row>, { session });
    return matchedCount;
  }
}

function toEntity<Entity>({ _id, ...rest }: Row): Entity {
  return { id: _id, ...fromStored(rest as Stored<Omit<Entity, 'id'>>) } as Entity;
}
