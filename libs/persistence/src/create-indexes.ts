import type { Connection } from 'mongoose';

/** Creates the indexes in the schemas of a connection's models. */
export async function createIndexes(connection: Connection): Promise<void> {
  await Promise.all(Object.values(connection.models).map((model) => model.createIndexes()));
}
