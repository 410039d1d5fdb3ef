import type { AnyObject, ClientSession, Model } from 'mongoose';

/**
 * Writes rows that are made by our own code, by the driver itself: nothing of a row whose type is checked has to be cast, and
 * mongoose's documents cost several times what the rows do. What is undefined is left out.
 * @throws Mongo's duplicate key error
 */
export async function insertRows<Row>(model: Model<Row>, rows: readonly Row[], session: ClientSession): Promise<void> {
  if (rows.length === 0) return;
  await model.collection.insertMany([...rows] as AnyObject[], { session, ignoreUndefined: true });
}
