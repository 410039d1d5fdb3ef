import { type Document, MongoClient } from 'mongodb';

/** Keeps the types of the rows when they are written back. */
const EXACT = { promoteValues: false, promoteLongs: false };

/** Copies of services' databases, each as of one moment, like a backup. */
export class DatabaseCopies {
  private readonly client: MongoClient;
  private readonly copies = new Map<string, ReadonlyMap<string, Document[]>>();

  constructor(mongoUrl: string) {
    this.client = new MongoClient(mongoUrl);
  }

  close(): Promise<void> {
    return this.client.close();
  }

  /** Copies databases as they are now, replacing earlier copies. */
  async take(databases: readonly string[]): Promise<void> {
    await this.client.withSession({ snapshot: true }, async (session) => {
      for (const name of databases) {
        const rows = new Map<string, Document[]>();
        for (const { collectionName } of await this.client.db(name).collections()) {
          const collection = this.client.db(name).collection(collectionName);
          rows.set(collectionName, await collection.find({}, { session, ...EXACT }).toArray());
        }
        this.copies.set(name, rows);
      }
    });
  }

  /** Restores databases from their copies. Their indexes stay. The services that use them must be stopped. */
  async restore(databases: readonly string[]): Promise<void> {
    for (const name of databases) {
      for (const collection of await this.client.db(name).collections()) {
        await collection.deleteMany({});
        const rows = this.copies.get(name)?.get(collection.collectionName) ?? [];
        if (rows.length > 0) await collection.insertMany(rows);
      }
    }
  }
}
