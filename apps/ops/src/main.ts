import { once } from 'node:events';
import { constants } from 'node:os';
import { text } from 'node:stream/consumers';
import { CommanderError } from 'commander';
import { CommandError, sentenceOf } from './command-error.ts';
import { inColumns } from './output.ts';
import { opsProgram } from './program.ts';

const FAILURE = 1;
const USAGE = 2;

/** Prints an error in one line, a fault of the program with its stack. @returns the exit status */
function report(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0;
    // Without a subcommand the help is printed already.
    if (error.code !== 'commander.help') fail(error.message.replace(/^error: /, '').replaceAll('\n', ' '), 'USAGE');
    return USAGE;
  }
  const sentence = sentenceOf(error);
  if (sentence === undefined) console.error(error);
  else fail(sentence, (error as { code?: unknown }).code);
  return error instanceof CommandError ? error.exitStatus : FAILURE;
}

function fail(message: string, code: unknown): void {
  if (process.argv.includes('--json')) console.error(JSON.stringify({ error: { code, message } }));
  else console.error(process.stderr.isTTY ? inColumns(`✗ ${message}`) : `✗ ${message}`);
}

// The first process of a container has no default signal handlers. Exit at any moment: the journal has the bytes before they are sent.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => process.exit(128 + constants.signals[signal]));
}
// A closed terminal must not end a recovery with a stack trace.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(FAILURE));
let status = 0;
const program = opsProgram(
  {
    environment: process.env,
    isTerminal: process.stdout.isTTY,
    input: () => text(process.stdin),
    write: async (piece) => {
      if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
    },
    report: (line) => console.error(line),
  },
  () => {
    status = FAILURE;
  },
);
try {
  await program.parseAsync();
} catch (error) {
  status = report(error);
}
process.exit(status);
