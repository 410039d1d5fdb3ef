import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { Command } from 'commander';
import { inColumns, type Printed } from './output.ts';

/** What surrounds a run of the program. */
export interface Surroundings {
  readonly environment: NodeJS.ProcessEnv;
  /** Whether a terminal shows the output. Another program gets whole lines. */
  readonly isTerminal: boolean;
  /** Reads standard input. */
  readonly input: () => Promise<string>;
  /** Writes to standard output. */
  readonly write: (text: string) => Promise<void>;
  /** Writes a line of progress or advice to standard error. */
  readonly report: (line: string) => void;
}

type Output = AsyncIterable<Printed> | Promise<Printed>;

const COLUMNS = 120;
/** HyperEVM's public endpoint. */
const PUBLIC_RPC = 'https://rpc.hyperliquid.xyz/evm';
const SIGNED = `
Needs your signature. Set OPS_CHAIN_ID, OPS_OPERATOR and OPS_KEY_FILE; for a key encrypted with age also
OPS_KEY_PASSPHRASE_FILE. Or add --unsigned, sign the printed text on another machine, and run give.`;
const WHY = ['--reason <why>', 'kept in the audit log, 3 to 500 characters'] as const;

/**
 * Makes the program. Each command imports its code when it runs, so that help is printed at once.
 * @param fail called if the checked subject failed
 */
export function opsProgram({ environment, isTerminal, input, write, report }: Surroundings, fail: () => void): Command {
  // The program runs from src, dist or dist/bundle.
  const { version } = JSON.parse(readFileSync(findPackageJSON(import.meta.url) ?? '', 'utf8'));
  const program = new Command('ops')
    .description(
      'The command line of operators. Commands for jobs use the API of your local stack,\n' +
        'or that of OPS_API_URL with the key in OPS_API_KEY_FILE.',
    )
    .version(version)
    .option('--json', 'print JSON, one value a line')
    .configureHelp({ helpWidth: COLUMNS, showGlobalOptions: true })
    // The caller prints errors.
    .configureOutput({ outputError: () => undefined })
    .exitOverride();

  const show = async (output: Output): Promise<void> => {
    for await (const { text, json, isExact, isFailure } of Symbol.asyncIterator in output ? output : [output]) {
      const lines = isTerminal ? inColumns(text) : text;
      await write(program.opts().json ? `${JSON.stringify(json, withoutBigInts)}\n` : isExact ? text : `${lines}\n`);
      if (isFailure) fail();
    }
  };
  const api = async () => (await import('./commands/operator-api.ts')).OperatorApi.ofEnvironment(environment);
  const tools = async () => ({ api: await api(), environment });
  const operator = () => import('./commands/operator-commands.ts');
  const webhooks = () => import('./commands/webhook-commands.ts');
  const keys = () => import('./keys/product-keys.ts');
  const recovery = () => import('./recovery/recovery-commands.ts');

  program.commandsGroup('Jobs:');
  program
    .command('list')
    .description('jobs, newest first')
    .option('--status <status>')
    .option('--limit <n>')
    .option(...WHY)
    .action(async (options) => show((await operator()).listJobs(await api(), options)));
  program
    .command('show <job>')
    .description('a job with its returns and its timeline')
    .option(...WHY)
    .action(async (job, options) => show((await operator()).showJob(await api(), job, options)));
  program
    .command('reconcile <job>')
    .description("compares a job's ledger with the chain and explains the result")
    .option(...WHY)
    .action(async (job, options) => show((await operator()).reconcileJob(await api(), job, options)));
  program
    .command('export [job]')
    .description("CSV of all jobs, or of one job's ledger")
    .requiredOption(...WHY)
    .action(async (job, options) => show((await operator()).exportJobs(await api(), job, options)));
  program
    .command('pause <job|all>')
    .description('stops all transactions of a job, or of all jobs, until you resume')
    .requiredOption(...WHY)
    .action(async (job, options) => show((await operator()).actOnJob(await api(), 'pause', job, options)));
  program
    .command('rebroadcast <job>')
    .description("broadcasts a job's waiting transactions again")
    .requiredOption(...WHY)
    .action(async (job, options) => show((await operator()).actOnJob(await api(), 'rebroadcast', job, options)));
  program
    .command('solvency')
    .description('checks on the chain that the wallets of all open jobs hold the owed money')
    .option('--rpc <url>', 'an endpoint; by default OPS_RPC_URL')
    .action(async ({ rpc }) =>
      show((await import('./solvency/solvency.ts')).solvency(await api(), rpc ?? environment.OPS_RPC_URL)),
    );

  program.commandsGroup('Commands that need your signature:');
  const signed = (command: Command) =>
    command
      .requiredOption(...WHY)
      .option('--unsigned', 'print the command, for operators who sign on another machine')
      .addHelpText('after', SIGNED);
  const held = (command: Command) =>
    signed(command)
      .option('--gas-from <address>', 'the address that sends the gas to a wallet with tokens only')
      .option('--tokens <addresses>', 'wrongly sent tokens, separated by commas, which the command sends too');
  signed(program.command('cancel <job>').description('ends a job and returns the unspent money')).action(
    async (job, options) => show((await operator()).cancelJob(await tools(), job, options)),
  );
  signed(program.command('resume <job|all>').description("ends an operator's pause")).action(async (job, options) =>
    show((await operator()).resumeJob(await tools(), job, options)),
  );
  held(program.command('return <job>').description('sends held money to the address on record')).action(
    async (job, options) => show((await operator()).returnHeld(await tools(), job, options)),
  );
  held(
    program
      .command('release <job> <address>')
      .description('sends held money to an address; two operators sign if it is not on record'),
  ).action(async (job, to, options) => show((await operator()).releaseHeld(await tools(), job, to, options)));
  const hypercore = program.command('hypercore').description('HYPE on HyperCore, which pays for nothing');
  hypercore
    .command('check <job>')
    .description("searches a job's address for HYPE on HyperCore and for tokens; needs no signature")
    .requiredOption(...WHY)
    .action(async (job, options) => show((await operator()).actOnJob(await api(), 'hypercore/check', job, options)));
  signed(
    hypercore
      .command('return <job> [address]')
      .description('sends it to the address on record or to this one; two operators sign for a job that was never paid')
      .requiredOption('--amount <HYPE>', 'the amount that hypercore check found'),
  ).action(async (job, to, options) => show((await operator()).returnHyperCore(await tools(), job, to, options)));
  program
    .command('give')
    .description('gives the command on standard input, within a day of --unsigned')
    .requiredOption('--signatures <signatures>', '<operator>=<signature in base64>, separated by commas')
    .action(async ({ signatures }) => show((await operator()).giveSigned(await api(), await input(), signatures)));

  program.commandsGroup('Records:');
  program
    .command('log')
    .description('the audit log, newest first: commands and queries of operators, except log, audit and webhooks')
    .option('--limit <n>')
    .action(async (options) => show((await operator()).logActions(await api(), options)));
  program
    .command('audit')
    .description('checks the log of signed commands')
    .option('--head <hash>', 'a hash that you noted, which the log must have')
    .action(async ({ head }) => show((await import('./commands/check-log.ts')).checkLog(await api(), head)));
  const hooks = program.command('webhooks').description('endpoints of webhooks and their messages');
  hooks
    .command('list')
    .description('endpoints with their waiting messages')
    .action(async () => show((await webhooks()).listWebhooks(await api())));
  hooks
    .command('log')
    .description('messages with their attempts and answers, newest first')
    .option('--endpoint <name>')
    .option('--job <job>')
    .option('--state <state>', 'waiting or delivered')
    .option('--limit <n>')
    .option(...WHY)
    .action(async (options) => show((await webhooks()).logWebhooks(await api(), options)));
  hooks
    .command('redeliver <endpoint> [event]')
    .description('sends a message, or all since a time, again under the same id')
    .option('--since <time>', 'instead of an event')
    .requiredOption(...WHY)
    .action(async (endpoint, event, options) =>
      show((await webhooks()).redeliverWebhooks(await api(), endpoint, event, options)),
    );

  program.commandsGroup('Keys:');
  program
    .command('secrets')
    .description('prints a Secret with all keys of an installation; pipe it into kubectl create -f -')
    .option('--name <name>', 'of the Secret; by default maker-keys')
    .option('--namespace <namespace>')
    .option('--seed <file>', 'a seed file instead of a new seed')
    .option('--operator <name>', 'adds the key of an operator, for an evaluation only')
    .option('--nats-namespace <namespace>', 'adds the Secret nats-passwords')
    .option('--mongodb-namespace <namespace>', 'adds the Secret mongodb-passwords')
    .action(async (options) => {
      const { manifest, advice } = await (await keys()).makeSecrets(options);
      report(advice);
      await show(Promise.resolve(manifest));
    });
  program
    .command('seed')
    .description('the seed of an installation')
    .command('new <file>')
    .description('writes a new phrase of 24 words, mode 0400, and prints the xpub of its account')
    .action(async (file) => show((await keys()).newSeed(file)));
  program
    .command('xpub')
    .description('prints the xpub of a seed file, plain or encrypted by age')
    .requiredOption('--seed <file>')
    .option('--passphrase-file <file>')
    .action(async (options) => show((await keys()).xpubOf(options)));
  program
    .command('new-key <file>')
    .description("makes an operator's key and prints its public key")
    .action(async (file) => show((await keys()).makeOperatorKey(file)));

  program.commandsGroup('Checks without an API:');
  program
    .command('preflight')
    .description('checks whether the product works with endpoints and exchanges; sends no transaction')
    .option(
      '--rpc <url>',
      "an endpoint; repeat it in the order of the product's list",
      (url, before: string[] = []) => [...before, url],
    )
    .option('--chain-id <id>', 'by default that of the first endpoint')
    .option('--exchanges <file>', 'a list of exchanges that replaces the built-in one')
    .option('--token <address>', 'a token for a trial purchase and sale')
    .option('--requests-per-minute <limits>', 'the limit of each endpoint, separated by commas')
    .option('--record <directory>', 'save the answers in this directory, without keys')
    .addHelpText(
      'after',
      '\nWithout an option it reads the variables of the services: CHAIN_RPC_URLS, CHAIN_ID, CHAIN_EXCHANGES_FILE and\n' +
        'CHAIN_RPC_REQUESTS_PER_MINUTE. Exit status: 1, the product would not work; 2, wrong options.',
    )
    .action(async (options) => show((await import('./preflight/run.ts')).runPreflight(options, environment)));
  program
    .command('verify <receipt.json>')
    .description("checks a job's receipt against the chain and names the first broken rule")
    .requiredOption('--rpc <URL>', `any endpoint of the receipt's chain; HyperEVM's public one is ${PUBLIC_RPC}`)
    .option(
      '--service <URL>',
      'the site of your service, such as https://bot.example.com; else the service stays unknown',
    )
    .option('--prices', 'compare each order with every pool of the pair, by the events since the first order')
    .option('--log-blocks <blocks>', 'blocks in one request of events; by default 50, as HyperEVM allows')
    .option('--per-minute <requests>', 'limit of requests; by default 90 for public endpoints of HyperEVM')
    .addHelpText(
      'after',
      '\nExit status: 0, no rule is broken; 1, a rule is broken; 2, the receipt could not be checked.',
    )
    .action(async (file, options) => show((await import('./verify/verify-file.ts')).verifyFile(file, options, report)));
  program
    .command('simulate')
    .description("prints the plan of a job that starts now, with the product's defaults; sends nothing")
    .requiredOption('--token <address>')
    .requiredOption('--amount <HYPE>')
    .option('--rpc <url>', 'an endpoint', PUBLIC_RPC)
    .option('--exchanges <file>', 'a list of exchanges as JSON, for networks without a built-in list')
    .action(async (options) => show((await import('./simulation/simulate-job.ts')).simulateJob(options)));
  program
    .command('canary')
    .description(
      'pays a job and stops it before its first order; reads the environment and logs JSON (built program only)',
    )
    .action(async () => {
      const { failure } = await (await import('./canary/run-canary.ts')).runCanary();
      if (failure) fail();
    });
  program
    .command('check-addresses <setting=address...>')
    .description("checks addresses of an installation's settings, as the chart's hook does")
    .action(async (settings) =>
      show(Promise.resolve((await import('./service/check-addresses.ts')).checkAddresses(settings))),
    );
  const recover = program
    .command('recover')
    .description('returns the money when databases are lost: docs/runbooks/recovery-drill.md');
  recover
    .command('survey')
    .description('finds every wallet and its money from the xpub and the chain')
    .requiredOption('--chain-id <id>')
    .requiredOption('--rpc <urls>', 'endpoints, separated by commas')
    .requiredOption('--xpub <xpub>')
    .requiredOption('--out <plan>', 'the file for the plan')
    .option('--from-block <n>')
    .option('--treasury <address>')
    .option('--margin <indexes>')
    .option('--below <index>')
    .option('--series <series>', 'numbers and ranges: n,n-m,…')
    .action(async (options) => show((await recovery()).survey(options, report)));
  recover
    .command('return')
    .description('signs the plan and sends each asset of each wallet at most once')
    .requiredOption('--chain-id <id>')
    .requiredOption('--rpc <urls>', 'endpoints, separated by commas')
    .requiredOption('--plan <plan>')
    .requiredOption('--journal <file>')
    .requiredOption('--below <index>')
    .requiredOption('--reason <why>', 'kept in the journal')
    .requiredOption('--seed-file <file>')
    .option('--passphrase-file <file>')
    .option('--operator <name>', 'kept in the journal; by default your user')
    .option('--series-below <n>')
    .action(async (options) => show((await recovery()).sendBack(options)));
  return program;
}

/** JSON has no integers of any size: amounts become decimal strings. */
function withoutBigInts(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
