import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024;

/** What `execFile` rejects with. */
interface Failure {
  readonly message: string;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly code?: number | string | null;
  readonly signal?: NodeJS.Signals | null;
}

/** All output of a program that failed, and how it ended: a killed one may have said nothing. */
function saidByFailed(command: string, { message, stdout = '', stderr = '', code, signal }: Failure): string {
  const isStarted = typeof code === 'number' || Boolean(signal);
  return `${stdout}${stderr}${isStarted ? `${command} ended with ${signal ?? code}` : message}`;
}

/** Runs a program. @returns its standard output @throws Error with all its output */
export async function output(command: string, args: readonly string[], input?: string): Promise<string> {
  const running = execute(command, [...args], { maxBuffer: OUTPUT_LIMIT_BYTES });
  if (input !== undefined) running.child.stdin?.end(input);
  return running.then(
    ({ stdout }) => stdout,
    (error: Failure) => {
      throw new Error(`${command} ${args.join(' ')}: ${saidByFailed(command, error)}`);
    },
  );
}

/** Runs a program. @returns all its output, and whether it succeeded */
export async function attempt(command: string, args: readonly string[]): Promise<{ isDone: boolean; said: string }> {
  return execute(command, [...args], { maxBuffer: OUTPUT_LIMIT_BYTES }).then(
    ({ stdout, stderr }) => ({ isDone: true, said: stdout + stderr }),
    (error: Failure) => ({ isDone: false, said: saidByFailed(command, error) }),
  );
}

/** Runs a program that writes to the terminal. @throws Error if it fails */
export async function show(command: string, args: readonly string[], directory?: string): Promise<void> {
  const child = spawn(command, [...args], { stdio: ['ignore', 'inherit', 'inherit'], cwd: directory });
  const code = await ended(child);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
}

/** A program that this machine lacks; the message is one line. */
export class MissingProgram extends Error {}

/** @param why its purpose, and how to install it @throws MissingProgram */
export async function needProgram(program: string, why: string): Promise<void> {
  if (!(await succeeds(program, ['--version']))) throw new MissingProgram(`${program} is missing: ${why}`);
}

/** Whether a program exists and succeeds. */
export async function succeeds(command: string, args: readonly string[]): Promise<boolean> {
  return execute(command, [...args]).then(
    () => true,
    () => false,
  );
}

function ended(child: ChildProcess): Promise<number | NodeJS.Signals | null> {
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve(code ?? signal));
  });
}
