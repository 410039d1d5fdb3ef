import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
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

/** Ends a process by SIGABRT with a secret in its memory. @returns its filter, and whether a core file holds the secret if this system wrote one here */
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
  const isHeld = file === undefined ? undefined : await holds(join(directory, file), secret);
  if (file !== undefined) await rm(join(directory, file));
  return { filter: filter.trim(), isHeld };
}

/** Reads piece by piece: a core file has half a gigabyte of holes. */
async function holds(file: string, secret: string): Promise<boolean> {
  let end = Buffer.alloc(0);
  for await (const piece of createReadStream(file, { highWaterMark: 1024 * 1024 })) {
    const bytes = Buffer.concat([end, piece]);
    if (bytes.includes(secret)) return true;
    end = bytes.subarray(-secret.length);
  }
  return false;
}

describe.runIf(process.platform === 'linux')('a core file (design § 6)', { timeout: 60_000 }, () => {
  const secret = () => randomBytes(32).toString('hex');

  it('holds no memory of a withholding process', async () => {
    const canary = secret();
    const { filter, isHeld } = await crash(canary, { withheld: true });
    expect(filter).toBe('00000000');
    expect(isHeld).not.toBe(true);
  });

  it('holds memory otherwise', async () => {
    const canary = secret();
    const { filter, isHeld } = await crash(canary, { withheld: false });
    expect(Number.parseInt(filter, 16)).not.toBe(0);
    expect(isHeld).not.toBe(false);
  });
});
