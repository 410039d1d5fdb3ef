import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { StackError, StackStoppedError, UsageError } from '../errors.ts';

export interface CommandContext {
  args: string[];
  /** Aborted when the command must stop: Ctrl-C, a signal, or the end of the process that started it. */
  signal: AbortSignal;
}

/**
 * Runs a command's work and ends the process with its exit code. An expected error prints one line.
 * @param usage printed after a UsageError and after an error of `parseArgs`
 */
export async function runCommand(work: (context: CommandContext) => Promise<number>, usage = ''): Promise<never> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  process.on('disconnect', () => stop.abort());
  // A closed terminal must not prevent the stack from stopping.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => stop.abort());
  try {
    process.exit(await work({ args: process.argv.slice(2), signal: stop.signal }));
  } catch (error) {
    if (error instanceof StackStoppedError) {
      console.log('✓ stopped');
      process.exit(0);
    }
    const asked = usage && (error instanceof UsageError || isParseError(error)) ? `; usage: ${usage}` : '';
    if (error instanceof StackError || isParseError(error)) console.error(`✗ ${error.message}${asked}`);
    else console.error(error);
    process.exit(1);
  }
}

function isParseError(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS_');
}

/** Parses switches such as `--keep`. @throws UsageError naming an unknown switch */
export function readSwitches<Name extends string>(args: string[], names: readonly Name[]): Record<Name, boolean> {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'boolean' as const }]));
  try {
    const { values } = parseArgs({ args, options, strict: true, allowPositionals: false });
    return Object.fromEntries(names.map((name) => [name, values[name] === true])) as Record<Name, boolean>;
  } catch (error) {
    const known = names.map((name) => `--${name}`).join(', ');
    throw new UsageError(`${error instanceof Error ? error.message.split('. ')[0] : error}; there are: ${known}`);
  }
}

/** Formats milliseconds for people, as '1.2 s'. */
export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}

/** Resolves when the signal is aborted. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
