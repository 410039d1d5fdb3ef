import type { Connection } from 'mongoose';

/** Creates the indexes that the schemas of a connection's models name. */
export async function createIndexes(connection: Connection): Promise<void> {
  await Promise.all(Object.values(connection.models).map((model) => model.createIndexes()));
}
