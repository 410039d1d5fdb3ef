// Makes the evaluation's MongoDB server a replica set of one, once.
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';

// The driver of the image that this runs in.
const { MongoClient } = createRequire('/app/libs/persistence/')('mongodb');
const { MEMBER } = process.env;
const RETRY_MS = 1000;

async function initiate() {
  const client = new MongoClient(`mongodb://${MEMBER}/?directConnection=true`, { serverSelectionTimeoutMS: 2000 });
  try {
    const members = [{ _id: 0, host: MEMBER }];
    await client.db('admin').command({ replSetInitiate: { _id: 'rs0', members } });
    console.log('the replica set is made');
  } catch (error) {
    if (error.codeName !== 'AlreadyInitialized') throw error;
    console.log('the replica set was there');
  } finally {
    await client.close();
  }
}

for (;;) {
  try {
    await initiate();
    break;
  } catch (error) {
    console.log(`not yet: ${error.message}`);
    await wait(RETRY_MS);
  }
}
