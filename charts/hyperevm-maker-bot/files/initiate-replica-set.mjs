// Makes the evaluation's MongoDB server a replica set of one, once; a set that knows its member by another name learns this one.
import { createRequire } from 'node:module';
import { setTimeout as wait } from 'node:timers/promises';

// The driver of the image that this runs in: of the folder that it runs in.
const { MongoClient } = createRequire(`${process.cwd()}/`)('mongodb');
const { MEMBER } = process.env;
const RETRY_MS = 1000;

async function initiate(admin) {
  try {
    await admin.command({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: MEMBER }] } });
    console.log('the replica set is made');
  } catch (error) {
    if (error.codeName !== 'AlreadyInitialized') throw error;
    await rename(admin);
  }
}

/** A member that does not find itself in its set is no primary ever again, until it is told by force. */
async function rename(admin) {
  const { config } = await admin.command({ replSetGetConfig: 1 });
  const [member] = config.members;
  if (member.host === MEMBER) {
    console.log('the replica set was there');
    return;
  }
  const members = [{ ...member, host: MEMBER }];
  await admin.command({ replSetReconfig: { ...config, version: config.version + 1, members }, force: true });
  console.log(`the replica set's member was ${member.host}, and is ${MEMBER} now`);
}

async function attempt() {
  const client = new MongoClient(`mongodb://${MEMBER}/?directConnection=true`, { serverSelectionTimeoutMS: 2000 });
  try {
    await initiate(client.db('admin'));
  } finally {
    await client.close();
  }
}

for (;;) {
  try {
    await attempt();
    break;
  } catch (error) {
    console.log(`not yet: ${error.message}`);
    await wait(RETRY_MS);
  }
}
