import { parseArgs } from 'node:util';
import {
  type OperatorActionEntry,
  type OperatorCommandResponse,
  type OperatorJob,
  type OperatorJobResponse,
  operatorReasonSchema,
  type ReconciliationResponse,
} from '@maker/contracts';
import { UsageError } from '../command-error.ts';
import type { OperatorApi } from './operator-api.ts';
import { actionText, jobDetailText, jobText, reconciliationText } from './operator-text.ts';

/** How the operator's commands are called. */
export const OPS_USAGE = `usage: npm run ops -- <command>
  list [--status <status>] [--limit <n>]          jobs, newest first
  show <job>                                      a job with its returns and its timeline
  reconcile <job>                                 its ledger beside the chain, explained
  export [<job>] --reason <why>                   CSV of all jobs, or of one job's ledger
  log [--limit <n>]                               who did or looked up what and why, newest first
  cancel <job> --reason <why>                     ends a job; what is not spent goes back
  return <job> --reason <why>                     sends what is held to the address on record
  release <job> <address> --reason <why>          sends what is held to an address
  pause <job>|all --reason <why>                  signs nothing more; resume <job>|all --reason <why>
  hypercore look <job> --reason <why>             looks for HYPE that was sent to its address on HyperCore
  hypercore return <job> [<address>] --reason <why>  sends it back there, to the address on record or this one
  rebroadcast <job> --reason <why>                sends the bytes of waiting transactions again
All but log is written to the audit log; list, show and reconcile take a --reason as well.
The API and its key are those of the local stack, or OPS_API_URL and OPS_API_KEY_FILE.`;

interface Arguments {
  readonly positionals: readonly string[];
  readonly values: { readonly reason?: string; readonly status?: string; readonly limit?: string };
}

type Command = (api: OperatorApi, args: Arguments) => AsyncGenerator<string>;

const jobCommand = (action: string): Command =>
  async function* (api, { positionals, values }) {
    const [job] = expectPositionals(positionals, 1);
    const path =
      job === 'all' && (action === 'pause' || action === 'resume') ? `/${action}` : `/jobs/${segment(job)}/${action}`;
    yield outcomeText(await api.post<OperatorCommandResponse>(path, { reason: reasonOf(values) }));
  };

const COMMANDS: Readonly<Record<string, Command>> = {
  async *list(api, { positionals, values }) {
    expectPositionals(positionals, 0);
    const query = { ...pick(values, 'status'), ...pick(values, 'limit'), ...whyOf(values) };
    const { jobs } = await api.get<{ jobs: OperatorJob[] }>(withQuery('/jobs', query));
    yield* jobs.map((job) => `${jobText(job)}\n`);
  },
  async *show(api, { positionals, values }) {
    const [job] = expectPositionals(positionals, 1);
    yield `${jobDetailText(await api.get<OperatorJobResponse>(withQuery(`/jobs/${segment(job)}`, whyOf(values))))}\n`;
  },
  async *reconcile(api, { positionals, values }) {
    const [job] = expectPositionals(positionals, 1);
    const path = withQuery(`/jobs/${segment(job)}/reconciliation`, whyOf(values));
    yield `${reconciliationText(await api.get<ReconciliationResponse>(path))}\n`;
  },
  async *export(api, { positionals, values }) {
    const [job] = positionals;
    expectPositionals(positionals, job === undefined ? 0 : 1);
    const path = job === undefined ? '/jobs.csv' : `/jobs/${segment(job)}/ledger.csv`;
    yield* api.text(withQuery(path, { reason: reasonOf(values) }));
  },
  async *log(api, { positionals, values }) {
    expectPositionals(positionals, 0);
    const { actions } = await api.get<{ actions: OperatorActionEntry[] }>(
      `/actions?${new URLSearchParams(pick(values, 'limit'))}`,
    );
    yield* actions.map((action) => `${actionText(action)}\n`);
  },
  async *release(api, { positionals, values }) {
    const [job, to] = expectPositionals(positionals, 2);
    const body = { to, reason: reasonOf(values) };
    yield outcomeText(await api.post<OperatorCommandResponse>(`/jobs/${segment(job)}/release`, body));
  },
  async *hypercore(api, { positionals, values }) {
    const [verb, job, to, ...more] = positionals;
    const known = verb === 'look' ? to === undefined : verb === 'return' && more.length === 0;
    if (!known || job === undefined) throw new UsageError(OPS_USAGE);
    const body = { ...(to !== undefined && { to }), reason: reasonOf(values) };
    yield outcomeText(await api.post<OperatorCommandResponse>(`/jobs/${segment(job)}/hypercore/${verb}`, body));
  },
  cancel: jobCommand('cancel'),
  return: jobCommand('return'),
  pause: jobCommand('pause'),
  resume: jobCommand('resume'),
  rebroadcast: jobCommand('rebroadcast'),
};

/**
 * Runs one of the operator's commands.
 * @returns its output, piece by piece @throws UsageError @throws OperatorApiError
 */
export function operatorCommand(api: OperatorApi, [name, ...args]: readonly string[]): AsyncGenerator<string> {
  const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(`${name === undefined ? '' : `there is no command '${name}'; `}${OPS_USAGE}`);
  return command(api, readArguments(args));
}

function readArguments(args: readonly string[]): Arguments {
  const option = { type: 'string' } as const;
  try {
    const { positionals, values } = parseArgs({
      args: [...args],
      options: { reason: option, status: option, limit: option },
      allowPositionals: true,
    });
    return { positionals, values };
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message.split('. ')[0] : error}; ${OPS_USAGE}`);
  }
}

function expectPositionals<Count extends 0 | 1 | 2>(
  positionals: readonly string[],
  count: Count,
): Count extends 2 ? [string, string] : Count extends 1 ? [string] : [] {
  if (positionals.length !== count) throw new UsageError(OPS_USAGE);
  return positionals as never;
}

function reasonOf({ reason }: Arguments['values']): string {
  const parsed = operatorReasonSchema.safeParse(reason);
  if (parsed.success) return parsed.data;
  throw new UsageError('a --reason with 3 to 500 characters is needed: it is kept in the audit log');
}

/** The reason of a query, if there is one. */
function whyOf(values: Arguments['values']): Record<string, string> {
  return values.reason === undefined ? {} : { reason: reasonOf(values) };
}

function withQuery(path: string, query: Record<string, string>): string {
  return Object.keys(query).length === 0 ? path : `${path}?${new URLSearchParams(query)}`;
}

function pick<Name extends 'status' | 'limit'>(values: Arguments['values'], name: Name): Record<string, string> {
  const value = values[name];
  return value === undefined ? {} : { [name]: value };
}

/** What a user typed must not reach another path. */
function segment(job: string): string {
  return encodeURIComponent(job);
}

function outcomeText({ outcome, actionId }: OperatorCommandResponse): string {
  return `${outcome}\nwritten down as ${actionId}\n`;
}
