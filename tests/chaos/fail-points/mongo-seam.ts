import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { FailPoints } from './fail-point.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A session of the driver. Only its identity and its transaction state matter. */
interface Session {
  inTransaction(): boolean;
}

type SendCommand = (
  namespace: object,
  command: Fields,
  options?: { readonly session?: Session },
  ...more: unknown[]
) => Promise<unknown>;

const WRITES = ['insert', 'update', 'delete', 'findAndModify', 'commitTransaction'] as const;

/** Fields of a state, which name a step best. */
const STATES = ['phase', 'status', 'state'];

/** Collections that every transaction writes beside its effect. */
const BESIDE = ['leases', 'inbox'];

/**
 * Fail points around every write of the MongoDB driver, named by the written data. Indexes, which a service makes at its start,
 * have none. Aborts have none: a death aborts a transaction too.
 */
export function watchMongo(
  points: FailPoints,
  noteTransaction: (rawTransaction: string, purpose: string) => void,
): void {
  const require = createRequire(createRequire(import.meta.url).resolve('mongoose'));
  const { Connection } = require(join(dirname(require.resolve('mongodb')), 'cmap', 'connection.js'));
  const send: SendCommand = Connection.prototype.command;
  const written = new WeakMap<Session, Set<string>>();

  Connection.prototype.command = function (this: unknown, ...call: Parameters<SendCommand>) {
    const [, command, { session } = {}] = call;
    const act = () => send.apply(this, call);
    // A command's name is its first field.
    const name = WRITES.find((write) => write === Object.keys(command)[0]);
    if (!name) return act();
    if (name === 'commitTransaction') {
      const collections = [...((session && written.get(session)) ?? [])].sort();
      if (session) written.delete(session);
      return points.around(`mongo:${name}:${collections.join('+')}`, act);
    }
    const collection = String(command[name]);
    if (session?.inTransaction() && !BESIDE.includes(collection)) {
      written.set(session, (written.get(session) ?? new Set()).add(collection));
    }
    if (name === 'insert' && collection === 'transactions')
      noteAttempts(documents(command, 'documents'), noteTransaction);
    return points.around(
      `mongo:${command.remove ? 'findAndRemove' : name}:${collection}${changeOf(name, collection, command)}`,
      act,
    );
  };
}

function noteAttempts(rows: readonly Fields[], note: (rawTransaction: string, purpose: string) => void): void {
  for (const { purpose, attempts } of rows) {
    for (const { rawTransaction } of attempts as { rawTransaction: string }[]) note(rawTransaction, String(purpose));
  }
}

function changeOf(name: (typeof WRITES)[number], collection: string, command: Fields): string {
  if (name === 'insert') return describeInsert(collection, documents(command, 'documents'));
  if (name === 'delete' || command.remove) return '';
  const updates = name === 'update' ? documents(command, 'updates').map(({ u }) => u) : [command.update];
  return [...new Set(updates.map(describeUpdate))].join('');
}

/** Kinds of the rows: events by type, transactions by purpose, the ledger by kind. */
function describeInsert(collection: string, rows: readonly Fields[]): string {
  const field = { outbox: 'type', transactions: 'purpose', ledger_entries: 'kind' }[collection];
  return field ? `{${[...new Set(rows.map((row) => row[field]))].sort()}}` : '';
}

function describeUpdate(update: unknown): string {
  // A pipeline: services take, renew and release leases by the database's clock.
  if (Array.isArray(update)) return `{${Object.keys(Object.assign({}, ...update)).concat(pipelineFields(update))}}`;
  const { $set = {}, ...others } = update as Readonly<Record<string, Fields>>;
  const states = STATES.filter((field) => field in $set).map((field) => `${field}=${$set[field]}`);
  const fields = states.length > 0 ? states : Object.keys($set);
  const operators = Object.entries(others).map(
    ([operator, change]) => `${operator}:${Object.keys(change).slice(0, 1)}`,
  );
  return `{${[...fields.sort(), ...(states.length > 0 ? [] : operators.sort())]}}`;
}

function pipelineFields(stages: readonly Fields[]): string[] {
  return stages.flatMap(({ $set }) => Object.keys($set as Fields)).sort();
}

/** The documents of a command, which the driver may pass as a list or as a sequence. */
function documents(command: Fields, field: string): readonly Fields[] {
  const listed = command[field] as readonly Fields[] | { readonly documents: readonly Fields[] };
  return 'documents' in listed ? listed.documents : listed;
}
