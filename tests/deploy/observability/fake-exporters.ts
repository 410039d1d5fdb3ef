import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { StackDescription } from '@maker/local-stack';
import { MongoClient, type Timestamp } from 'mongodb';
import { type Exporter, MONGODB_EXPORTER, NATS_EXPORTER } from '../../../tools/dashboards/exporters.ts';

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [name: string, labels: Labels, value: number];
type Document = Readonly<Record<string, unknown>>;

/** Pages for Prometheus, one per exporter. */
export interface FakeExporters {
  /** Address of the metrics by job. */
  readonly targets: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

/**
 * Fakes of the platform's exporters. They read the same pages and commands of the real servers, and expose the series that the
 * boards use, with the exporters' rules for names.
 */
export async function startFakeExporters({ natsMonitorUrl, mongoUrl }: StackDescription): Promise<FakeExporters> {
  const mongo = new MongoClient(mongoUrl);
  const nats = await serve(NATS_EXPORTER, () => readNats(natsMonitorUrl));
  const mongodb = await serve(MONGODB_EXPORTER, () => readMongo(mongo));
  return {
    targets: { nats: addressOf(nats), mongodb: addressOf(mongodb) },
    async stop() {
      for (const server of [nats, mongodb]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
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

interface JetStreamPage {
  readonly bytes: number;
  readonly config: { readonly max_storage: number };
  readonly account_details?: readonly {
    readonly stream_detail?: readonly {
      readonly name: string;
      readonly state: { readonly messages: number; readonly bytes: number };
      readonly consumer_detail?: readonly (Document & { readonly name: string })[];
    }[];
  }[];
}

/** Numbers of /varz by their names, and of /jsz the content of streams and consumers. */
async function readNats(url: string): Promise<Sample[]> {
  const get = async <Page>(path: string) => (await (await fetch(`${url}${path}`)).json()) as Page;
  const [varz, jsz] = await Promise.all([get<Document>('/varz'), get<JetStreamPage>('/jsz?consumers=true')]);
  const streams = (jsz.account_details ?? []).flatMap(({ stream_detail = [] }) => stream_detail);
  const server_name = String(varz.server_name);
  return [
    ['nats_server_max_storage', { server_name }, jsz.config.max_storage],
    ['nats_server_total_message_bytes', { server_name }, jsz.bytes],
    ...numbersOf(varz).map(([name, value]) => [`nats_varz_${name}`, {}, value] as const),
    ...streams.flatMap(({ name: stream_name, state, consumer_detail = [] }): Sample[] => [
      ['nats_stream_total_messages', { stream_name, is_stream_leader: 'true' }, state.messages],
      ['nats_stream_total_bytes', { stream_name }, state.bytes],
      ...consumer_detail.flatMap(({ name: consumer_name, ...consumer }) =>
        numbersOf(consumer).map(
          ([name, value]) => [`nats_consumer_${name}`, { stream_name, consumer_name }, value] as const,
        ),
      ),
    ]),
  ];
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
