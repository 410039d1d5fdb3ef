import { spawn } from 'node:child_process';
import { connect } from '@nats-io/transport-node';
import { MongoClient } from 'mongodb';
import { afterAll, describe, expect, it } from 'vitest';
import { chainTestClient } from './chain/anvil.ts';
import { type Part, startChain, startMongo, startNats } from './parts.ts';
import { ownModule } from './paths.ts';
import { waitUntil } from './processes/wait-until.ts';

const parts: Part[] = [];
const started = <Kind extends Part>(part: Kind): Kind => {
  parts.push(part);
  return part;
};

afterAll(async () => {
  await Promise.all(parts.map((part) => part.stop()));
});

describe('startMongo', () => {
  it.concurrent('commits a majority transaction', async () => {
    const mongo = started(await startMongo());
    const client = new MongoClient(mongo.urlOf('shop'));
    await client.withSession((session) =>
      session.withTransaction(
        async () => {
          await client.db().collection('a').insertOne({ n: 1 }, { session });
          await client.db().collection('b').insertOne({ n: 1 }, { session });
        },
        { writeConcern: { w: 'majority', j: true } },
      ),
    );
    expect(await client.db().collection('b').countDocuments()).toBe(1);
    await client.close();
  });
});

describe('startNats', () => {
  it.concurrent('starts a server without storage', async () => {
    const nats = started(await startNats());
    const connection = await connect({ servers: nats.url });
    expect(connection.info?.jetstream ?? false).toBe(false);
    await connection.close();
  });
});

describe('startChain', () => {
  it.concurrent('mines a block each second', async () => {
    const chain = started(await startChain({ exchanges: false }));
    const client = chainTestClient(chain.rpcUrl);
    const latest = async (): Promise<{ number: number; timestamp: number }> => {
      const block = (await client.request({ method: 'eth_getBlockByNumber', params: ['latest', false] } as never)) as {
        number: string;
        timestamp: string;
      };
      return { number: Number(block.number), timestamp: Number(block.timestamp) };
    };
    const first = await latest();
    expect(await waitUntil(async () => (await latest()).number >= first.number + 2, { timeoutMs: 10_000 })).toBe(true);
    const later = await latest();
    expect(later.timestamp).toBeGreaterThan(first.timestamp);
    expect(Math.abs(later.timestamp - Date.now() / 1000)).toBeLessThan(3);
  });
});

describe('a killed supervisor', () => {
  it.concurrent('ends the processes that it started', async () => {
    const source = `
      const { startNats } = await import(${JSON.stringify(ownModule(import.meta.url, './parts'))});
      console.log((await startNats()).url);
      setInterval(() => undefined, 1000);
    `;
    const supervisor = spawn(
      process.execPath,
      ['--conditions=@maker/source', '--input-type=module', '--eval', source],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const url = await new Promise<string>((resolve) => {
      supervisor.stdout.once('data', (data: Buffer) => resolve(data.toString().trim()));
    });
    const isServed = (): Promise<boolean> =>
      connect({ servers: url, reconnect: false, timeout: 500 }).then(
        async (connection) => {
          await connection.close();
          return true;
        },
        () => false,
      );
    expect(await isServed()).toBe(true);
    supervisor.kill('SIGKILL');
    expect(await waitUntil(async () => !(await isServed()), { timeoutMs: 10_000 })).toBe(true);
  });
});
