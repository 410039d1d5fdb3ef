import {
  addressSchema,
  type OperatorActionEntry,
  type OperatorCommandResponse,
  type OperatorJob,
  type OperatorJobResponse,
  type ReconciliationResponse,
} from '@maker/contracts';
import { isFinal, parseAddress, parseHype, parseRecipient } from '@maker/rules';
import { readOptions, UsageError } from '../command-error.ts';
import { checkLog } from './check-log.ts';
import { type CommandContent, signedCommand, unsignedCommand, withSignatures } from './command-signer.ts';
import type { OperatorApi } from './operator-api.ts';
import { actionText, jobDetailText, jobText, reconciliationText } from './operator-text.ts';
import { reasonOf, WEBHOOKS_USAGE, webhooksCommand } from './webhook-commands.ts';

/** Usage text of the operator's commands. */
export const OPS_USAGE = `usage: npm run ops -- <command>
  list [--status <status>] [--limit <n>]          jobs, newest first
  show <job>                                      a job with its returns and its timeline
  reconcile <job>                                 compares a job's ledger with the chain and explains the result
  export [<job>] --reason <why>                   CSV of all jobs, or of one job's ledger
  log [--limit <n>]                               the audit log: commands and queries of operators, newest first
  audit [--head <hash>]                           checks the log of signed commands, and that it has this hash that you noted
  pause <job>|all --reason <why>                  stops all transactions of a job, or of all jobs, until you resume
  hypercore check <job> --reason <why>            searches a job's address for HYPE on HyperCore and for tokens
  rebroadcast <job> --reason <why>                broadcasts a job's waiting transactions again
${WEBHOOKS_USAGE}
These commands need your signature. Set OPS_OPERATOR and OPS_KEY_FILE; or add --unsigned, sign the printed text, and give it:
  cancel <job> --reason <why>                     ends a job and returns the unspent money
  resume <job>|all --reason <why>                 ends an operator's pause
  return <job> --reason <why>                     sends held money to the address on record
  release <job> <address> --reason <why>          sends held money to an address; two operators sign if the address is not on
                                                  record
  hypercore return <job> [<address>] --amount <HYPE> --reason <why>
                                                  sends the found HYPE on HyperCore to the address on record or to this one;
                                                  two operators sign for a job that was never paid
  give --signatures <name>=<signature>,…          gives the command on standard input, within a day of --unsigned
  return and release take --gas-from <address>    the address that sends the gas to a wallet with tokens only
          --tokens <address>,<address>…           wrongly sent tokens, which the command sends too
  new-key <file>                                  makes an operator's key and prints its public key
The audit log records every command and query, except log, audit and webhooks. list, show, reconcile and webhooks log also take
a --reason.
Set OPS_API_URL and OPS_API_KEY_FILE to use another API than that of your local stack.`;

export interface OperatorTools {
  readonly api: OperatorApi;
  /** Has the chain and, for signing on this machine, the operator and the key file. */
  readonly environment: NodeJS.ProcessEnv;
  readonly input: () => Promise<string>;
}

/** Validity of a command signed here, and of one signed on another machine. */
const VALID_MS = 600_000;
const UNSIGNED_VALID_MS = 86_400_000;

type Arguments = ReturnType<typeof readOptions<(typeof OPTIONS)[number], (typeof FLAGS)[number]>>;

const OPTIONS = [
  'reason',
  'status',
  'limit',
  'head',
  'signatures',
  'gas-from',
  'tokens',
  'amount',
  'endpoint',
  'job',
  'state',
  'since',
] as const;

const FLAGS = ['unsigned'] as const;

type Command = (tools: OperatorTools, args: Arguments) => AsyncGenerator<string>;

const jobCommand = (action: string): Command =>
  async function* ({ api }, { positionals, values }) {
    const [job] = expectPositionals(positionals, 1);
    const path = job === 'all' && action === 'pause' ? `/${action}` : `/jobs/${segment(job)}/${action}`;
    yield outcomeText(await api.post<OperatorCommandResponse>(path, { reason: reasonOf(values) }));
  };

/** Content of a command for HYPE on HyperCore. It names wallet and amount, so that the executor can check both. */
async function hyperCoreReturn(
  api: OperatorApi,
  jobId: string,
  to: string | undefined,
  values: Arguments['values'],
): Promise<CommandContent> {
  const reason = reasonOf(values);
  const amountWei = amountOf(values);
  const { job } = await api.get<OperatorJobResponse>(`/jobs/${segment(jobId)}`, { reason });
  const recipient = to ?? job.returnAddress;
  if (!recipient) throw new UsageError('no return address is on record: name one');
  return {
    action: 'return_hypercore',
    jobId,
    walletAddress: job.paymentAddress as `0x${string}`,
    walletIndex: job.walletIndex,
    amountWei,
    to: recipientOf(recipient),
    reason,
  };
}

/** Signs and sends a command, or prints it for operators who sign on another machine. */
async function* give(
  { api, environment }: OperatorTools,
  { values }: Arguments,
  content: CommandContent,
): AsyncGenerator<string> {
  if (values.unsigned) return yield unsignedCommand(content, UNSIGNED_VALID_MS, environment);
  const signed = await signedCommand(content, VALID_MS, environment);
  yield outcomeText(await api.post<OperatorCommandResponse>('/commands', signed));
}

/** Fields of a command for held money. The executor refuses the command if the held amount has changed since. */
async function heldOf(api: OperatorApi, job: string, values: Arguments['values']) {
  const reason = reasonOf(values);
  const path = `/jobs/${segment(job)}/reconciliation`;
  const { heldWei: amountWei } = await api.get<ReconciliationResponse>(path, { reason });
  const gasFrom = values['gas-from'] === undefined ? {} : { gasFrom: recipientOf(values['gas-from']) };
  return { amountWei, reason, ...gasFrom, ...(await tokensOf(api, job, values)) };
}

/** Wrongly sent tokens and the wallet, only for an ended job: the executor would not start a job after a release. */
async function tokensOf(api: OperatorApi, jobId: string, { tokens, ...values }: Arguments['values']) {
  if (tokens === undefined) return {};
  const { job } = await api.get<OperatorJobResponse>(`/jobs/${segment(jobId)}`, whyOf(values));
  if (!isFinal(job.status)) throw new UsageError('the job has not ended: release its tokens after its end');
  return {
    tokens: tokens.split(',').map(parseToken),
    wallet: {
      address: addressSchema.parse(job.paymentAddress),
      index: job.walletIndex,
      tokenAddress: addressSchema.parse(job.tokenAddress),
    },
  };
}

function parseToken(typed: string): `0x${string}` {
  const token = parseAddress(typed);
  if (!token.ok) throw new UsageError(`${typed}: ${token.problem}`);
  return token.address;
}

/** Parses a recipient of money. @throws UsageError with the problem */
function recipientOf(typed: string | undefined): `0x${string}` {
  const recipient = parseRecipient(typed ?? '');
  if (!recipient.ok) throw new UsageError(`${typed}: ${recipient.problem}`);
  return recipient.address;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  async *list({ api }, { positionals, values }) {
    expectPositionals(positionals, 0);
    const query = { status: values.status, limit: values.limit, ...whyOf(values) };
    const { jobs } = await api.get<{ jobs: OperatorJob[] }>('/jobs', query);
    yield* jobs.map((job) => `${jobText(job)}\n`);
  },
  async *show({ api }, { positionals, values }) {
    const [job] = expectPositionals(positionals, 1);
    yield `${jobDetailText(await api.get<OperatorJobResponse>(`/jobs/${segment(job)}`, whyOf(values)))}\n`;
  },
  async *reconcile({ api }, { positionals, values }) {
    const [job] = expectPositionals(positionals, 1);
    const path = `/jobs/${segment(job)}/reconciliation`;
    yield `${reconciliationText(await api.get<ReconciliationResponse>(path, whyOf(values)))}\n`;
  },
  async *export({ api }, { positionals, values }) {
    const [job] = positionals;
    expectPositionals(positionals, job === undefined ? 0 : 1);
    const path = job === undefined ? '/jobs.csv' : `/jobs/${segment(job)}/ledger.csv`;
    yield* api.text(path, { reason: reasonOf(values) });
  },
  async *log({ api }, { positionals, values }) {
    expectPositionals(positionals, 0);
    const { actions } = await api.get<{ actions: OperatorActionEntry[] }>('/actions', { limit: values.limit });
    yield* actions.map((action) => `${actionText(action)}\n`);
  },
  async *audit({ api }, { positionals, values }) {
    expectPositionals(positionals, 0);
    yield* checkLog(api, values.head);
  },
  async *cancel(tools, args) {
    const [jobId] = expectPositionals(args.positionals, 1);
    yield* give(tools, args, { action: 'cancel', jobId, reason: reasonOf(args.values) });
  },
  async *resume(tools, args) {
    const [jobId] = expectPositionals(args.positionals, 1);
    const reason = reasonOf(args.values);
    yield* give(tools, args, jobId === 'all' ? { action: 'resume_all', reason } : { action: 'resume', jobId, reason });
  },
  async *return(tools, args) {
    const [jobId] = expectPositionals(args.positionals, 1);
    yield* give(tools, args, { action: 'return', jobId, ...(await heldOf(tools.api, jobId, args.values)) });
  },
  async *release(tools, args) {
    const [jobId, to] = expectPositionals(args.positionals, 2);
    const held = await heldOf(tools.api, jobId, args.values);
    yield* give(tools, args, { action: 'release', jobId, to: recipientOf(to), ...held });
  },
  async *give({ api, input }, { positionals, values }) {
    expectPositionals(positionals, 0);
    if (values.signatures === undefined) throw new UsageError('--signatures <name>=<signature> is needed');
    const command = withSignatures(await input(), values.signatures);
    yield outcomeText(await api.post<OperatorCommandResponse>('/commands', command));
  },
  async *hypercore(tools, args) {
    const { positionals, values } = args;
    const [verb, job, to, ...more] = positionals;
    const known = verb === 'check' ? to === undefined : verb === 'return' && more.length === 0;
    if (!known || job === undefined) throw new UsageError(OPS_USAGE);
    if (verb === 'return') return yield* give(tools, args, await hyperCoreReturn(tools.api, job, to, values));
    const path = `/jobs/${segment(job)}/hypercore/check`;
    yield outcomeText(await tools.api.post<OperatorCommandResponse>(path, { reason: reasonOf(values) }));
  },
  webhooks: ({ api }, args) => webhooksCommand(api, args),
  pause: jobCommand('pause'),
  rebroadcast: jobCommand('rebroadcast'),
};

/**
 * Runs one of the operator's commands.
 * @returns its output, piece by piece @throws UsageError @throws OperatorApiError
 */
export function operatorCommand(tools: OperatorTools, [name, ...args]: readonly string[]): AsyncGenerator<string> {
  const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!command) throw new UsageError(`${name === undefined ? '' : `there is no command '${name}'; `}${OPS_USAGE}`);
  return command(tools, readOptions(args, OPTIONS, OPS_USAGE, { allowPositionals: true, flags: FLAGS }));
}

function expectPositionals<Count extends 0 | 1 | 2>(
  positionals: readonly string[],
  count: Count,
): Count extends 2 ? [string, string] : Count extends 1 ? [string] : [] {
  if (positionals.length !== count) throw new UsageError(OPS_USAGE);
  return positionals as never;
}

function amountOf({ amount = '' }: Arguments['values']): string {
  try {
    return parseHype(amount).toString();
  } catch {
    throw new UsageError('an --amount of HYPE is needed: the amount that hypercore check found');
  }
}

function whyOf(values: Arguments['values']): Record<string, string> {
  return values.reason === undefined ? {} : { reason: reasonOf(values) };
}

/** Encodes a typed job id, so that it cannot reach another path. */
function segment(job: string): string {
  return encodeURIComponent(job);
}

function outcomeText({ outcome, actionId }: OperatorCommandResponse): string {
  return `${outcome}\nrecorded as ${actionId}\n`;
}
