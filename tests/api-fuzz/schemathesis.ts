import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDirectory } from '@maker/local-stack';

const run = promisify(execFile);

const REQUIREMENTS = new URL('requirements.txt', import.meta.url).pathname;
const INSTALL_TIMEOUT_MS = 600_000;
const NEEDS_PYTHON =
  'Schemathesis needs Python 3.10 or newer with venv and pip (Debian: apt-get install python3-venv); PYTHON may name another than python3';

/** Result of a run of Schemathesis. */
export interface FuzzRun {
  readonly ok: boolean;
  /** Number of generated requests. */
  readonly cases: number;
  /** Its output: every failure with the command that repeats it. */
  readonly output: string;
}

/**
 * Path of the program in its own Python environment, created on first use and kept between checkouts.
 * @throws Error with the missing requirement of this machine
 */
async function findSchemathesis(): Promise<string> {
  const fingerprint = createHash('sha256')
    .update(await readFile(REQUIREMENTS))
    .digest('hex')
    .slice(0, 8);
  const parent = join(cacheDirectory(), 'python-tools');
  const environment = join(parent, `schemathesis-${fingerprint}`);
  const complete = join(environment, 'complete');
  const program = join(environment, 'bin', 'st');
  if (await exists(complete)) return program;
  // Programs of an environment contain its path, so it cannot be moved.
  await rm(environment, { recursive: true, force: true });
  await mkdir(parent, { recursive: true });
  try {
    await run(process.env.PYTHON || 'python3', ['-m', 'venv', environment], { timeout: INSTALL_TIMEOUT_MS });
  } catch (error) {
    throw new Error(`${NEEDS_PYTHON}: ${String((error as Error).message)}`);
  }
  const pip = [
    'install',
    '--quiet',
    '--disable-pip-version-check',
    '--only-binary=:all:',
    '--requirement',
    REQUIREMENTS,
  ];
  await run(join(environment, 'bin', 'pip'), pip, { timeout: INSTALL_TIMEOUT_MS });
  await writeFile(complete, '');
  return program;
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );

/** Installs Schemathesis if it is missing, so that installation does not count as test time. @throws Error */
export async function prepareSchemathesis(): Promise<void> {
  await findSchemathesis();
}

/**
 * Tests an API against its own OpenAPI document, with every check of Schemathesis.
 * @param document OpenAPI document, as JSON
 * @param directory for document, configuration and report
 * @param configuration content of `schemathesis.toml`
 * @param options of `st run`
 */
export async function fuzz(
  apiUrl: string,
  document: string,
  directory: string,
  configuration: string,
  options: readonly string[],
): Promise<FuzzRun> {
  const program = await findSchemathesis();
  const file = join(directory, 'schemathesis.toml');
  // Holds the API key: a private file, since every process can read arguments.
  await writeFile(file, configuration, { mode: 0o600 });
  const schema = join(directory, 'openapi.json');
  await writeFile(schema, document);
  const args = ['--config-file', file, 'run', schema, `--url=${apiUrl}`, '--checks=all', '--no-color', ...options];
  const { stdout, failed } = await run(program, args, { cwd: directory, maxBuffer: 64 * 1024 * 1024 }).then(
    (ended) => ({ stdout: ended.stdout, failed: false }),
    (error: { stdout?: string; message: string }) => ({ stdout: error.stdout || error.message, failed: true }),
  );
  return { ok: !failed, cases: Number(/(\d+) generated/.exec(stdout)?.[1] ?? 0), output: stdout };
}
