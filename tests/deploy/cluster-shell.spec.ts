import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { attempt, output } from './cluster/command.ts';
import { runInShell, tryInShell } from './cluster/shell.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'maker-shell-'));
  const helm = join(folder, 'helm');
  await writeFile(helm, '#!/bin/sh\necho "helm $*"\n');
  await chmod(helm, 0o755);
  vi.stubEnv('PATH', `${folder}${delimiter}${process.env.PATH}`);
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

describe('a command of a page', () => {
  it.each(['helm', 'its path'])('runs helm named by %s', async (name) => {
    vi.stubEnv('HELM', name === 'helm' ? 'helm' : join(folder, 'helm'));
    expect(await runInShell('helm list --all')).toBe('helm list --all\n');
  });

  it('runs in the given folder', async () => {
    vi.stubEnv('HELM', 'helm');
    expect(await runInShell('pwd', folder)).toContain(folder);
  });

  it('shows all output and the status if it fails', async () => {
    vi.stubEnv('HELM', 'helm');
    const failed = runInShell('echo one; echo two >&2; exit 3');
    await expect(failed).rejects.toThrow(/one\ntwo\n\w+ ended with 3/);
  });

  it('says which signal ended it', async () => {
    vi.stubEnv('HELM', 'helm');
    expect(await tryInShell('kill -KILL $$')).toEqual({ isDone: false, said: 'bash ended with SIGKILL' });
  });
});

describe('a failing program', () => {
  it('is reported with both outputs', async () => {
    await expect(output('sh', ['-c', 'echo one; echo two >&2; exit 3'])).rejects.toThrow(/one\ntwo\n\w+ ended with 3/);
  });

  it('is reported if it says nothing', async () => {
    expect(await attempt('sh', ['-c', 'exit 3'])).toEqual({ isDone: false, said: 'sh ended with 3' });
  });

  it('is reported if it is missing', async () => {
    expect((await attempt('no-such-program', [])).said).toContain('ENOENT');
  });
});
