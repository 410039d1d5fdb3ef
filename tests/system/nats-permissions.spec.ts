import {
  CHAIN_REACH_SUBJECT,
  doorbellOf,
  EVENT_SOURCES,
  EVENT_TYPES,
  EXECUTION_CHANGES_SUBJECT,
  JOB_CHANGES_SUBJECT,
  REQUEST_SUBJECTS,
  responderOf,
  SEED_PROOF_WITHDRAWN_SUBJECT,
} from '@maker/contracts';
import { ALL_SERVICES, type ServiceName } from '@maker/local-stack';
import { connect, type NatsConnection, PermissionViolationError } from '@nats-io/transport-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answeredTo, type GuardedServer, passwordOf, startGuardedNats } from '../support/guarded-servers.ts';

/** Requesters of each subject, besides the gateway, which forwards requests of visitors and operators. */
const REQUESTERS: Record<string, readonly string[]> = {
  'token.market.get': ['job'],
  'chain.used_addresses.find': ['job'],
  'chain.recipient.check': ['job'],
  'job.capacity.book': ['maker-executor'],
  'job.creator.get': ['webhook-sender'],
  'job.deposits.find': ['maker-executor'],
  'job.payment.get': ['api-gateway', 'maker-executor'],
  'job.deposits.list': ['receipts'],
  'payment-watcher.deposits.list': ['maker-executor'],
  'receipt.sign': ['receipts'],
  'seed.prove': ['job'],
  'maker-executor.transfers.prove': ['job'],
  'maker-executor.balances.prove': ['job'],
  'job.events.list': ['payment-watcher', 'maker-executor', 'webhook-sender'],
  'payment-watcher.events.list': ['job', 'webhook-sender'],
  'maker-executor.events.list': ['job', 'webhook-sender'],
};

interface Rule {
  readonly subject: string;
  readonly publishers: readonly string[];
}

/** Services that answer requests. */
const RESPONDERS: ReadonlySet<string> = new Set(REQUEST_SUBJECTS.map(responderOf));

/** An inbox of each service for the answers of each, and two that name no responder. */
const INBOXES: readonly Rule[] = ALL_SERVICES.flatMap((requester) => [
  { subject: `_INBOX.${requester}.any`, publishers: [] },
  { subject: `_INBOX.${requester}.any.any`, publishers: [] },
  ...ALL_SERVICES.map((responder) => ({
    subject: `_INBOX.${requester}.${responder}.any`,
    publishers: RESPONDERS.has(responder) ? [responder] : [],
  })),
]);

/** Subjects of JetStream's API, which no service needs: any server of the platform may have it on. */
const JETSTREAM = [
  '$JS.API.INFO',
  '$JS.API.STREAM.CREATE.ANY',
  '$JS.API.STREAM.PURGE.ANY',
  '$JS.ACK.ANY.any.1.1.1.1.0',
];

const RULES: readonly Rule[] = [
  ...EVENT_SOURCES.map((source) => ({ subject: doorbellOf(source), publishers: [source] })),
  // Events travel in answers only.
  ...EVENT_TYPES.map((type) => ({ subject: `events.${type}`, publishers: [] })),
  ...REQUEST_SUBJECTS.map((subject) => ({ subject, publishers: REQUESTERS[subject] ?? ['api-gateway'] })),
  { subject: JOB_CHANGES_SUBJECT, publishers: ['job'] },
  { subject: CHAIN_REACH_SUBJECT, publishers: ['payment-watcher'] },
  { subject: SEED_PROOF_WITHDRAWN_SUBJECT, publishers: ['maker-executor'] },
  { subject: EXECUTION_CHANGES_SUBJECT, publishers: ['maker-executor'] },
  ...JETSTREAM.map((subject) => ({ subject, publishers: [] })),
  ...INBOXES,
];

let server: GuardedServer & { url: string };
const connections = new Map<ServiceName, NatsConnection>();
const refused = new Map<ServiceName, Set<string>>();

const as = (service: ServiceName): NatsConnection => {
  const connection = connections.get(service);
  if (!connection) throw new Error(`${service} is not connected`);
  return connection;
};

async function open(service: ServiceName): Promise<void> {
  const credentials = { user: service, pass: passwordOf(service), inboxPrefix: `_INBOX.${service}` };
  const connection = await connect({ servers: server.url, ...credentials });
  const subjects = new Set<string>();
  connections.set(service, connection);
  refused.set(service, subjects);
  const watch = async () => {
    for await (const status of connection.status()) {
      if (status.type === 'error' && status.error instanceof PermissionViolationError)
        subjects.add(`${status.error.operation} ${status.error.subject}`);
    }
  };
  void watch();
}

beforeAll(async () => {
  server = await startGuardedNats();
  for (const service of ALL_SERVICES) await open(service);
});

afterAll(async () => {
  await Promise.all([...connections.values()].map((connection) => connection.close()));
  await server?.stop();
});

describe('publishing', () => {
  it.each(ALL_SERVICES)('lets %s send what it owns and nothing else', async (service) => {
    const connection = as(service);
    for (const { subject } of RULES) connection.publish(subject, '');
    // The server reports a refusal before it answers the flush.
    await connection.flush();
    await connection.flush();
    const sent = RULES.filter(({ subject }) => !refused.get(service)?.has(`publish ${subject}`));
    const expected = RULES.filter(({ publishers }) => publishers.includes(service));
    expect(sent.map(({ subject }) => subject)).toEqual(expected.map(({ subject }) => subject));
  });
});

describe('an answer', () => {
  it.each([
    ['api-gateway', 'token-validation', 'token.validate'],
    ['api-gateway', 'job', 'job.status.get'],
    ['api-gateway', 'payment-watcher', 'payment-watcher.hypercore.check'],
    ['api-gateway', 'maker-executor', 'maker-executor.reconcile'],
    ['api-gateway', 'receipts', 'receipts.receipt.get'],
    ['receipts', 'maker-executor', 'receipt.sign'],
    ['api-gateway', 'webhook-sender', 'webhook.redeliver'],
    ['maker-executor', 'job', 'job.deposits.find'],
    ['webhook-sender', 'payment-watcher', 'payment-watcher.events.list'],
  ] as const)('to %s from %s reaches its inbox only', async (asker, answerer, subject) => {
    const foreign = ['$JS.API.STREAM.PURGE.ANY', ...EVENT_SOURCES.map(doorbellOf), JOB_CHANGES_SUBJECT];
    const strange = [...foreign, ...INBOXES.map((inbox) => inbox.subject)].filter(
      (reply) => !RULES.some((rule) => rule.subject === reply && rule.publishers.includes(answerer)),
    );
    const answering = as(answerer).subscribe(subject, { callback: (_error, message) => void message.respond('{}') });
    await as(answerer).flush();
    for (const reply of strange) as(asker).publish(subject, '{}', { reply });
    const answer = await as(asker).request(subject, '{}', answeredTo(asker, subject));
    expect(answer.string()).toBe('{}');
    await as(answerer).flush();
    expect([...(refused.get(answerer) ?? [])]).toEqual(
      expect.arrayContaining(strange.map((reply) => `publish ${reply}`)),
    );
    answering.unsubscribe();
  });
});

it('lets only its responder answer to an inbox', async () => {
  const received = new Map<string, string[]>(INBOXES.map(({ subject }) => [subject, []]));
  const subscriptions = ALL_SERVICES.map((service) =>
    as(service).subscribe(`_INBOX.${service}.>`, {
      callback: (_error, message) => void received.get(message.subject)?.push(message.string()),
    }),
  );
  for (const service of ALL_SERVICES) await as(service).flush();
  for (const service of ALL_SERVICES) {
    for (const { subject } of INBOXES) as(service).publish(subject, service);
    await as(service).flush();
  }
  for (const service of ALL_SERVICES) await as(service).flush();
  const allowed = INBOXES.map(({ subject, publishers }) => [subject, publishers]);
  expect(Object.fromEntries(received)).toEqual(Object.fromEntries(allowed));
  for (const subscription of subscriptions) subscription.unsubscribe();
});

describe('subscribing', () => {
  const ownOf = (service: ServiceName): readonly string[] => [
    ...INBOXES.map(({ subject }) => subject).filter((inbox) => inbox.startsWith(`_INBOX.${service}.`)),
    `_INBOX.${service}.>`,
    ...REQUEST_SUBJECTS.filter((subject) => responderOf(subject) === service),
    ...(service === 'api-gateway' ? [JOB_CHANGES_SUBJECT, CHAIN_REACH_SUBJECT, EXECUTION_CHANGES_SUBJECT] : []),
    ...EVENT_SOURCES.filter(
      (source) => source === service || REQUESTERS[`${source}.events.list`]?.includes(service),
    ).map(doorbellOf),
    ...(service === 'job' ? ['job.>'] : []),
  ];
  const SUBJECTS = [
    ...new Set(ALL_SERVICES.flatMap(ownOf)),
    ...['_INBOX.>', ...ALL_SERVICES.map((responder) => `_INBOX.*.${responder}.>`)],
    ...['events.>', '$JS.>', 'receipt.>', '>'],
  ];

  it.each(ALL_SERVICES)('lets %s subscribe to its own subjects and no others', async (service) => {
    const subscriptions = SUBJECTS.map((subject) => as(service).subscribe(subject, { callback: () => undefined }));
    await as(service).flush();
    await as(service).flush();
    const allowed = SUBJECTS.filter((subject) => !refused.get(service)?.has(`subscription ${subject}`));
    expect(allowed.sort()).toEqual([...ownOf(service)].sort());
    for (const subscription of subscriptions) subscription.unsubscribe();
  });
});
