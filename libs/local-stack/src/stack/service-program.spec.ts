import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NotBuiltError } from '../errors.ts';
import { findProgram } from './service-program.ts';

let root: string;
let build: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'maker-program-'));
  build = join(root, 'apps', 'job', 'dist');
  await mkdir(join(build, 'bundle'), { recursive: true });
  await writeFile(join(build, 'main.js'), 'modules');
});

afterEach(() => rm(root, { recursive: true, force: true }));

async function writeBundle(): Promise<void> {
  const contents = {
    sources: ['apps/job/dist/main.js'],
    digest: createHash('sha256').update('modules').digest('hex'),
  };
  await writeFile(join(build, 'bundle', 'main.js'), 'bundle');
  await writeFile(join(build, 'bundle', 'contents.json'), JSON.stringify(contents));
}

describe('findProgram', () => {
  it('finds the modules’ bundle and modules', async () => {
    await writeBundle();
    expect(await findProgram('job', 'bundle', root)).toBe(join(build, 'bundle', 'main.js'));
    expect(await findProgram('job', 'modules', root)).toBe(join(build, 'main.js'));
  });

  it('rejects an app without a build', async () => {
    await expect(findProgram('job', 'bundle', root)).rejects.toThrow(NotBuiltError);
    await expect(findProgram('site', 'modules', root)).rejects.toThrow('npm run build');
  });

  it('rejects a stale bundle', async () => {
    await writeBundle();
    await writeFile(join(build, 'main.js'), 'newer modules');
    await expect(findProgram('job', 'bundle', root)).rejects.toThrow('older than its modules');
    await rm(join(build, 'main.js'));
    await expect(findProgram('job', 'bundle', root)).rejects.toThrow('older than its modules');
  });
});
