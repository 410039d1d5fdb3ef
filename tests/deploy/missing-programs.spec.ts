import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findTool } from '../../tools/go-tool.ts';
import { makeLocalBases } from './cluster/base-images.ts';
import { MissingProgram } from './cluster/command.ts';

const run = promisify(execFile);

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maker-path-'));
  vi.stubEnv('PATH', folder);
  vi.stubEnv('HELM', undefined);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

describe('on a machine that lacks a program', () => {
  it('CLUSTER_IMAGES=debian names the missing debootstrap', async () => {
    const unused = () => Promise.reject(new Error('nothing is built'));
    const builder = {
      build: unused,
      relabel: unused,
      fromFolder: unused,
      save: unused,
      has: (name: string) => Promise.resolve(name.includes('cc-debian')),
    };
    await expect(makeLocalBases(builder)).rejects.toThrow(MissingProgram);
    await expect(makeLocalBases(builder)).rejects.toThrow(/^debootstrap is missing: .*apt-get install debootstrap/);
  });

  it('test:cluster says so in one line', async () => {
    const main = fileURLToPath(new URL('cluster/run.ts', import.meta.url));
    const env = { ...process.env, KUBECONFIG: join(folder, 'none') };
    const ended = run(process.execPath, ['--conditions=@maker/source', main], { env });
    await expect(ended).rejects.toMatchObject({
      stderr: expect.stringMatching(/^✗ images need a running docker .*\n$/),
    });
  });
});

describe('helm', () => {
  it('is helm 3 from the PATH', async () => {
    vi.unstubAllEnvs();
    const helm = await findTool('helm');
    vi.stubEnv('PATH', folder);
    await symlink(helm, join(folder, 'helm'));
    expect(await findTool('helm')).toBe('helm');
  });

  it('is the pinned version if the PATH has another', async () => {
    await writeFile(join(folder, 'helm'), '#!/bin/sh\necho v2.17.0\n');
    await chmod(join(folder, 'helm'), 0o755);
    expect(await findTool('helm')).toMatch(/helm@v3/);
  });
});
