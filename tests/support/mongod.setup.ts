import { SHARED_MONGO_PORT, startMongo } from '@maker/local-stack';

/** Starts the mongod on which integration tests open databases; Vitest runs this before a project's first file. */
export default async function startSharedMongo(): Promise<(() => Promise<void>) | undefined> {
  // Another project of the same run has started it.
  if (process.env[SHARED_MONGO_PORT]) return undefined;
  const mongo = await startMongo();
  process.env[SHARED_MONGO_PORT] = `${mongo.port}`;
  return () => mongo.stop();
}
