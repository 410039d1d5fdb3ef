import { once } from 'node:events';
import { constants } from 'node:os';
import { text } from 'node:stream/consumers';
import { CommandError, UsageError } from './command-error.ts';
import { OperatorApi } from './commands/operator-api.ts';
import { OPS_USAGE, operatorCommand } from './commands/operator-commands.ts';
import { KEYS_USAGE, makeOperatorKey, printSecrets, printXpub, seedCommand } from './keys/product-keys.ts';
import { RECOVERY_USAGE, recoveryCommand } from './recovery/recovery-commands.ts';
import { CHECK_ADDRESSES_USAGE, checkAddresses } from './service/check-addresses.ts';
import { SIGN_PERIOD_USAGE, signPeriod } from './service/sign-period.ts';
import { SOLVENCY_USAGE, solvency } from './solvency/solvency.ts';

async function run(args: readonly string[]): Promise<void> {
  // The usage needs no API.
  if (args.length === 0)
    throw new UsageError(
      `${OPS_USAGE}\n\n${SOLVENCY_USAGE}\n\n${RECOVERY_USAGE}\n\n${SIGN_PERIOD_USAGE}\n\n${CHECK_ADDRESSES_USAGE}\n\n${KEYS_USAGE}`,
    );
  const [command, ...rest] = args;
  if (command === 'new-key') return newKey(rest);
  if (command === 'check-addresses') return console.log(checkAddresses(rest));
  if (command === 'sign-period') return console.log((await signPeriod(rest)).trimEnd());
  if (command === 'seed') return console.log((await seedCommand(rest)).trimEnd());
  if (command === 'xpub') return console.log((await printXpub(rest)).trimEnd());
  if (command === 'secrets') {
    const { manifest, advice } = await printSecrets(rest);
    console.error(advice);
    return console.log(manifest.trimEnd());
  }
  for await (const piece of await outputOf(command, rest)) {
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
  }
}

async function outputOf(command: string | undefined, args: readonly string[]): Promise<AsyncIterable<string>> {
  if (command === 'recover') return recoveryCommand(args, (line) => console.error(line));
  const api = await OperatorApi.ofEnvironment();
  return command === 'solvency'
    ? solvency(api, args)
    : operatorCommand({ api, environment: process.env, input: () => text(process.stdin) }, [command ?? '', ...args]);
}

async function newKey([path, ...more]: readonly string[]): Promise<void> {
  if (path === undefined || more.length > 0) throw new UsageError(OPS_USAGE);
  console.log(`the public key of ${path}, for makerExecutor.operatorKeys: ${await makeOperatorKey(path)}`);
}

// The first process of a container has no default signal handlers. Exit at any moment: the journal has the bytes before they are sent.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => process.exit(128 + constants.signals[signal]));
}
// A closed terminal must not end a recovery with a stack trace.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(1));
try {
  await run(process.argv.slice(2));
  process.exit(0);
} catch (error) {
  if (error instanceof CommandError) console.error(`✗ ${error.message}`);
  else console.error(error);
  process.exit(1);
}
