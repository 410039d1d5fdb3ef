/**
 * A separate program for evaluations: initiates the MongoDB server `MEMBER` as a replica set of one member. If the set exists with
 * another name of its member, it sets this name. It is here because this image has the driver.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { mongo } from 'mongoose';

const RETRY_MS = 1000;
const SELECTION_MS = 2000;

interface ReplicaSetConfiguration extends mongo.Document {
  readonly version: number;
  readonly members: readonly ({ readonly host: string } & mongo.Document)[];
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function initiate(admin: mongo.Db, member: string): Promise<void> {
  try {
    await admin.command({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host: member }] } });
    print('replica set initiated');
  } catch (error) {
    if (!(error instanceof mongo.MongoServerError && error.codeName === 'AlreadyInitialized')) throw error;
    await rename(admin, member);
  }
}

/** Renames the member by a forced reconfiguration: a member that is not in its set's configuration cannot become primary. */
async function rename(admin: mongo.Db, host: string): Promise<void> {
  const answer = await admin.command({ replSetGetConfig: 1 });
  const configuration = answer.config as ReplicaSetConfiguration;
  const [member] = configuration.members;
  if (member?.host === host) {
    print('replica set exists');
    return;
  }
  const changed = { ...configuration, version: configuration.version + 1, members: [{ ...member, host }] };
  await admin.command({ replSetReconfig: changed, force: true });
  print(`replica set member renamed from ${member?.host} to ${host}`);
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
      print(`replica set not initiated, retrying: ${(error as Error).message}`);
      await wait(RETRY_MS);
    }
  }
}

const { MEMBER } = process.env;
if (!MEMBER) throw new Error('MEMBER is empty: set it to the MongoDB server');
await untilDone(MEMBER);
