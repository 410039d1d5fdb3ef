/**
 * A program of its own: makes an evaluation's MongoDB server, `MEMBER`, a replica set of one, once; a set that knows its member by another
 * name learns this one. It is here because this image has the driver.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { mongo } from 'mongoose';

const RETRY_MS = 1000;
const SELECTION_MS = 2000;

interface ReplicaSetConfiguration extends mongo.Document {
  readonly version: number;
  readonly members: readonly ({ readonly host: string } & mongo.Document)[];
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function initiate(admin: mongo.Db, member: string): Promise<void> {
  try {
    await admin.command({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: member }] } });
    tell('the replica set is made');
  } catch (error) {
    if (!(error instanceof mongo.MongoServerError && error.codeName === 'AlreadyInitialized')) throw error;
    await rename(admin, member);
  }
}

/** A member that does not find itself in its set is no primary ever again, until it is told by force. */
async function rename(admin: mongo.Db, host: string): Promise<void> {
  const answer = await admin.command({ replSetGetConfig: 1 });
  const configuration = answer.config as ReplicaSetConfiguration;
  const [member] = configuration.members;
  if (member?.host === host) {
    tell('the replica set was there');
    return;
  }
  const changed = { ...configuration, version: configuration.version + 1, members: [{ ...member, host }] };
  await admin.command({ replSetReconfig: changed, force: true });
  tell(`the replica set's member was ${member?.host}, and is ${host} now`);
}

async function attempt(member: string): Promise<void> {
  const client = new mongo.MongoClient(`mongodb://${member}/?directConnection=true`, {
    serverSelectionTimeoutMS: SELECTION_MS,
  });
  try {
    await initiate(client.db('admin'), member);
  } finally {
    await client.close();
  }
}

async function untilDone(member: string): Promise<void> {
  for (;;) {
    try {
      await attempt(member);
      return;
    } catch (error) {
      tell(`not yet: ${(error as Error).message}`);
      await wait(RETRY_MS);
    }
  }
}

const { MEMBER } = process.env;
if (!MEMBER) throw new Error('MEMBER names no server');
await untilDone(MEMBER);
