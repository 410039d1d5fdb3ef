import { readFile, writeFile } from 'node:fs/promises';
import {
  addressSchema,
  type OperatorActionEntry,
  type OperatorCommandResponse,
  type OperatorJob,
  type OperatorJobResponse,
  type ReconciliationResponse,
  type SignedCommand,
  signedCommandSchema,
} from '@maker/contracts';
import { isFinal, parseHype, parseRecipient } from '@maker/rules';
import { readOptions, UsageError } from '../command-error.ts';
import { checkLog } from './check-log.ts';
import type { CommandSigner, Said } from './command-signer.ts';
import type { OperatorApi } from './operator-api.ts';
import { actionText, jobDetailText, jobText, reconciliationText } from './operator-text.ts';
import { reasonOf, WEBHOOKS_USAGE, webhooksCommand } from './webhook-commands.ts';

/** How the operator's commands are called. */
export const OPS_USAGE = `usage: npm run ops -- <command>
  list [--status <status>] [--limit <n>]          jobs, newest first
  show <job>                                      a job with its returns and its timeline
  reconcile <job>                                 its ledger beside the chain, explained
  export [<job>] --reason <why>                   CSV of all jobs, or of one job's ledger
  log [--limit <n>]                               who did or looked up what and why, newest first
  audit [--head <hash>]                           checks the log of signed commands, and that it has a hash noted down before
  pause <job>|all --reason <why>                  lets no money move until it is resumed
  hypercore look <job> --reason <why>             looks for HYPE on HyperCore, and for tokens, that were sent to its address
  rebroadcast <job> --reason <why>                sends the bytes of waiting transactions again
${WEBHOOKS_USAGE}
signed by you, with OPS_OPERATOR, OPS_KEY_FILE and OPS_CHAIN_ID:
  cancel <job> --reason <why>                     ends a job; what is not spent goes back
  resume <job>|all --reason <why>                 ends an operator's pause
  return <job> --reason <why>                     sends what is held to the address on record
  release <job> <address> --reason <why>          sends what is held to an address; to one that is not on record with
          --save <file>                           for a second operator, who gives it within a day:
  hypercore return <job> [<address>] --amount <HYPE> --reason <why>
          [--save <file>]                         sends it back there, all that the look found, to the address on record or
                                                  this one; of a job that was never paid, two operators sign
  countersign <file>                              shows a saved command, signs it too, and gives it
  return and release take --gas-from <address>    who sends the gas to a wallet that holds tokens alone
          --tokens <address>,<address>…           tokens that were sent to the wallet by mistake, and go as well
  new-key <file>                                  makes an operator's key; prints its public half
All but log, audit and the list of webhooks is written to the audit log; list, show, reconcile and webhooks log take a --reason
as well.
The API and its key are those of the local stack, or OPS_API_URL and OPS_API_KEY_FILE.`;

/** What the commands work with. */
export interface OperatorTools {
  readonly api: OperatorApi;
  /** The operator's key, read where a command is signed. */
  readonly signer: () => Promise<CommandSigner>;
}

/** A command that is given at once; and one that waits for a second operator. */
const VALID_MS = 600_000;
const SAVED_VALID_MS = 86_400_000;

type Arguments = ReturnType<typeof readOptions<(typeof OPTIONS)[number]>>;

const OPTIONS = [
  'reason',
  'status',
  'limit',
  'head',
  'save',
  'gas-from',
  'tokens',
  'amount',
  'endpoint',
  'job',
  'state',
  'since',
] as const;

type Command = (tools: OperatorTools, args: Arguments) => AsyncGenerator<string>;

const jobCommand = (action: string): Command =>
  async function* ({ api }, { positionals, values }) {
    const [job] = expectPositionals(positionals, 1);
    const path = job === 'all' && action === 'pause' ? `/${action}` : `/jobs/${segment(job)}/${action}`;
    yield outcomeText(await api.post<OperatorCommandResponse>(path, { reason: reasonOf(values) }));
  };

/** Gives a command, or saves it signed for a second operator. */
async function* giveOrSave(tools: OperatorTools, said: Said, file: string | undefined): AsyncGenerator<string> {
  if (file === undefined) return yield* give(tools, said);
  const signed = (await tools.signer()).sign(said, SAVED_VALID_MS);
  await writeFile(file, `${JSON.stringify(signed, null, 2)}\n`, { flag: 'wx' });
  yield `signed and saved in ${file}: a second operator gives it with countersign\n`;
}

/** What an operator signs about HYPE on HyperCore: the wallet and its sum are said, so that the executor can hold them against what it finds. */
async function hyperCoreReturn(
  api: OperatorApi,
  jobId: string,
  to: string | undefined,
  values: Arguments['values'],
): Promise<Said> {
  const reason = reasonOf(values);
  const amountWei = amountOf(values);
  const { job } = await api.get<OperatorJobResponse>(withQuery(`/jobs/${segment(jobId)}`, { reason }));
  const recipient = to ?? job.returnAddress;
  if (!recipient) throw new UsageError('no return address is on record: name one');
  return {
    action: 'return_hypercore',
    jobId,
    walletAddress: job.paymentAddress as `0x${string}`,
    walletIndex: job.walletIndex,
    amountWei,
    to: parseAddress(recipient),
    reason,
  };
}

async function* give({ api, signer }: OperatorTools, said: Said): AsyncGenerator<string> {
  const signed = (await signer()).sign(said, VALID_MS);
  yield outcomeText(await api.post<OperatorCommandResponse>('/commands', signed));
}

/** The sum is the one that the operator can see: where another is held by then, nothing is done. */
async function heldWei(api: OperatorApi, job: string, values: Arguments['values']): Promise<string> {
  const path = withQuery(`/jobs/${segment(job)}/reconciliation`, whyOf(values));
  return (await api.get<ReconciliationResponse>(path)).heldWei;
}

const gasFromOf = (values: Arguments['values']) =>
  values['gas-from'] === undefined ? {} : { gasFrom: parseAddress(values['gas-from']) };

/**
 * Tokens that were sent to a job's wallet by mistake, and the wallet. Only of a job that has ended: the executor would not begin one
 * that it has released something of.
 */
async function tokensOf(api: OperatorApi, jobId: string, { tokens, ...values }: Arguments['values']) {
  if (tokens === undefined) return {};
  const { job } = await api.get<OperatorJobResponse>(withQuery(`/jobs/${segment(jobId)}`, whyOf(values)));
  if (!isFinal(job.status)) throw new UsageError('the job has not ended: its tokens go back afterwards');
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
  const token = addressSchema.safeParse(typed);
  if (!token.success) throw new UsageError(`${typed} is not the address of a token`);
  return token.data;
}

/** An address that money goes to. @throws UsageError with what is wrong with it */
function parseAddress(typed: string | undefined): `0x${string}` {
  const recipient = parseRecipient(typed ?? '');
  if (!recipient.ok) throw new UsageError(`${typed}: ${recipient.problem}`);
  return recipient.address;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  async *list({ api }, { positionals, values }) {
    expectPositionals(positionals, 0);
    const query = { ...pick(values, 'status'), ...pick(values, 'limit'), ...whyOf(values) };
    const { jobs } = await api.get<{ jobs: OperatorJob[] }>(withQuery('/jobs', query));
    yield* jobs.map((job) => `${jobText(job)}\n`);
  },
  async *show({ api }, { positionals, values }) {
    const [job] = expectPositionals(positionals, 1);
    yield `${jobDetailText(await api.get<OperatorJobResponse>(withQuery(`/jobs/${segment(job)}`, whyOf(values))))}\n`;
  },
  async *reconcile({ api }, { positionals, values }) {
    const [job] = expectPositionals(positionals, 1);
    const path = withQuery(`/jobs/${segment(job)}/reconciliation`, whyOf(values));
    yield `${reconciliationText(await api.get<ReconciliationResponse>(path))}\n`;
  },
  async *export({ api }, { positionals, values }) {
    const [job] = positionals;
    expectPositionals(positionals, job === undefined ? 0 : 1);
    const path = job === undefined ? '/jobs.csv' : `/jobs/${segment(job)}/ledger.csv`;
    yield* api.text(withQuery(path, { reason: reasonOf(values) }));
  },
  async *log({ api }, { positionals, values }) {
    expectPositionals(positionals, 0);
    const { actions } = await api.get<{ actions: OperatorActionEntry[] }>(
      `/actions?${new URLSearchParams(pick(values, 'limit'))}`,
    );
    yield* actions.map((action) => `${actionText(action)}\n`);
  },
  async *audit({ api }, { positionals, values }) {
    expectPositionals(positionals, 0);
    yield* checkLog(api, values.head);
  },
  async *cancel(tools, { positionals, values }) {
    const [jobId] = expectPositionals(positionals, 1);
    yield* give(tools, { action: 'cancel', jobId, reason: reasonOf(values) });
  },
  async *resume(tools, { positionals, values }) {
    const [jobId] = expectPositionals(positionals, 1);
    const reason = reasonOf(values);
    yield* give(tools, jobId === 'all' ? { action: 'resume_all', reason } : { action: 'resume', jobId, reason });
  },
  async *return(tools, { positionals, values }) {
    const [jobId] = expectPositionals(positionals, 1);
    const reason = reasonOf(values);
    const amountWei = await heldWei(tools.api, jobId, values);
    const tokens = await tokensOf(tools.api, jobId, values);
    yield* give(tools, { action: 'return', jobId, amountWei, reason, ...gasFromOf(values), ...tokens });
  },
  async *release(tools, { positionals, values }) {
    const [jobId, to] = expectPositionals(positionals, 2);
    const reason = reasonOf(values);
    const amountWei = await heldWei(tools.api, jobId, values);
    const said = {
      action: 'release' as const,
      jobId,
      amountWei,
      to: parseAddress(to),
      reason,
      ...gasFromOf(values),
      ...(await tokensOf(tools.api, jobId, values)),
    };
    yield* giveOrSave(tools, said, values.save);
  },
  async *countersign(tools, { positionals }) {
    const [path] = expectPositionals(positionals, 1);
    const saved = await readSaved(path);
    yield `${saved.text}\n`;
    const signed = (await tools.signer()).countersign(saved);
    yield outcomeText(await tools.api.post<OperatorCommandResponse>('/commands', signed));
  },
  async *hypercore(tools, { positionals, values }) {
    const [verb, job, to, ...more] = positionals;
    const known = verb === 'look' ? to === undefined : verb === 'return' && more.length === 0;
    if (!known || job === undefined) throw new UsageError(OPS_USAGE);
    if (verb === 'return')
      return yield* giveOrSave(tools, await hyperCoreReturn(tools.api, job, to, values), values.save);
    const path = `/jobs/${segment(job)}/hypercore/look`;
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
  return command(tools, readOptions(args, OPTIONS, OPS_USAGE, true));
}

async function readSaved(path: string): Promise<SignedCommand> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path} cannot be read (${error.code ?? 'unknown error'})`);
  });
  try {
    return signedCommandSchema.parse(JSON.parse(text));
  } catch {
    throw new UsageError(`${path} holds no saved command`);
  }
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
    throw new UsageError('an --amount of HYPE is needed: what the look found');
  }
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
