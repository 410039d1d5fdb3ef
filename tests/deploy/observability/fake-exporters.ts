import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StackDescription } from '@maker/local-stack';
import { MongoClient, type Timestamp } from 'mongodb';
import { type Exporter, MONGODB_EXPORTER } from '../../../tools/dashboards/exporters.ts';

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [name: string, labels: Labels, value: number];
type Document = Readonly<Record<string, unknown>>;

/** A page for Prometheus. */
export interface FakeExporters {
  /** Address of the metrics by job. */
  readonly targets: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/** A fake of the platform's exporter of MongoDB. It reads the same commands of the real server, and exposes the series that alerts use. */
export async function startFakeExporters({ mongoUrl }: StackDescription): Promise<FakeExporters> {
  const mongo = new MongoClient(mongoUrl);
  const mongodb = await serve(MONGODB_EXPORTER, () => readMongo(mongo));
  return {
    targets: { mongodb: addressOf(mongodb) },
    async stop() {
      mongodb.closeAllConnections();
      await new Promise((resolve) => mongodb.close(resolve));
      await mongo.close();
    },
  };
}

const addressOf = (server: Server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

function serve({ series }: Exporter, read: () => Promise<Sample[]>): Promise<Server> {
  const page = async () =>
    (await read())
      .filter(([name]) => name in series)
      .map(
        ([name, labels, value]) =>
          `${name}{${Object.entries(labels).map(([label, text]) => `${label}="${text}"`)}} ${value}\n`,
      )
      .join('');
  const server = createServer((_request, response) => {
    page().then(
      (text) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4' }).end(text),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

/** Branches whose fields are label values, not parts of names. */
const LABELLED: Readonly<Record<string, string>> = {
  ss_connections: 'conn_type',
  ss_opcounters: 'legacy_op_type',
  ss_globalLock_currentQueue: 'count_type',
};

async function readMongo(mongo: MongoClient): Promise<Sample[]> {
  const admin = mongo.db('admin');
  const { wiredTiger, opLatencies, ...status } = await admin.command({ serverStatus: 1 });
  const { members } = await admin.command({ replSetGetStatus: 1 });
  const oplog = mongo.db('local').collection<{ ts: Timestamp }>('oplog.rs');
  const [tail, head] = await Promise.all(
    ([1, -1] as const).map((order) => oplog.findOne({}, { sort: { $natural: order } })),
  );
  const seconds = (entry: { ts: Timestamp } | null | undefined) => entry?.ts.getHighBits() ?? 0;
  return [
    ['mongodb_mongod_replset_oplog_head_timestamp', {}, seconds(head)],
    ['mongodb_mongod_replset_oplog_tail_timestamp', {}, seconds(tail)],
    ...flatten('ss', status),
    ...flatten('ss_wt', wiredTiger),
    ...Object.entries(opLatencies as Record<string, Document>).flatMap(([op_type, latencies]) =>
      flatten('ss_opLatencies', latencies, { op_type }),
    ),
    ...(members as (Document & { name: string })[]).flatMap((member) =>
      flatten('rs_members', member, { member_idx: member.name }),
    ),
  ];
}

function flatten(path: string, branch: Document, labels: Labels = {}): Sample[] {
  const label = LABELLED[path];
  const own = numbersOf(branch).map(([name, value]): Sample => {
    return label
      ? [`mongodb_${path}`, { ...labels, [label]: name }, value]
      : [`mongodb_${path}_${name.replaceAll(/\W+/g, '_')}`, labels, value];
  });
  const inner = Object.entries(branch).flatMap(([name, value]) =>
    isBranch(value) ? flatten(`${path}_${name.replaceAll(/\W+/g, '_')}`, value, labels) : [],
  );
  return [...own, ...inner];
}

function numbersOf(branch: Document): [name: string, value: number][] {
  return Object.entries(branch).flatMap(([name, value]) => {
    const number = value instanceof Date ? value.getTime() : value;
    return typeof number === 'number' || typeof number === 'bigint' ? [[name, Number(number)]] : [];
  });
}

function isBranch(value: unknown): value is Document {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
