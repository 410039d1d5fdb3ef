import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'maker-core-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const MODULE = pathToFileURL(join(import.meta.dirname, 'core-files.ts')).href;

/** Ends a process by SIGABRT with a secret in its memory. @returns its filter, and its core file if this system wrote one here */
async function crash(secret: string, { withheld }: { withheld: boolean }) {
  const program = join(directory, 'program.mjs');
  await writeFile(
    program,
    `import { readFileSync } from 'node:fs';
     import { withholdMemoryFromCoreFiles } from ${JSON.stringify(MODULE)};
     ${withheld ? 'withholdMemoryFromCoreFiles({ warn(facts) { throw facts.err; } });' : ''}
     globalThis.secret = Buffer.from(readFileSync(0));
     console.log(readFileSync('/proc/self/coredump_filter', 'utf8'));
     process.abort();`,
  );
  const command = 'ulimit -c unlimited; exec "$0" "$1"';
  const child = spawn('sh', ['-c', command, process.execPath, program], {
    cwd: directory,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let filter = '';
  child.stdout.on('data', (data: Buffer) => {
    filter += data.toString();
  });
  child.stdin.end(secret);
  await once(child, 'close');
  const file = (await readdir(directory)).find((name) => name.startsWith('core'));
  const core = file === undefined ? undefined : await readFile(join(directory, file));
  if (file !== undefined) await rm(join(directory, file));
  return { filter: filter.trim(), core };
}

describe.runIf(process.platform === 'linux')('a core file (design § 6)', { timeout: 60_000 }, () => {
  const secret = () => randomBytes(32).toString('hex');

  it('holds no memory of a withholding process', async () => {
    const canary = secret();
    const { filter, core } = await crash(canary, { withheld: true });
    expect(filter).toBe('00000000');
    expect(core?.includes(canary)).not.toBe(true);
  });

  it('holds memory otherwise', async () => {
    const canary = secret();
    const { filter, core } = await crash(canary, { withheld: false });
    expect(Number.parseInt(filter, 16)).not.toBe(0);
    if (core) expect(core.includes(canary)).toBe(true);
  });
});
