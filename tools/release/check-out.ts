import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import type { RunStep } from './run-step.ts';

/** Committed sources: a release has no file of the developer's folder. */
export interface Sources {
  readonly folder: string;
  readonly commit: string;
  /** Version in the root package.json. */
  readonly version: string;
  /** Time of the commit and of every file in a release, s since 1970. */
  readonly committedAt: number;
}

/** Writes the files of a commit to a folder. */
export async function checkOut(run: RunStep, revision: string, folder: string): Promise<Sources> {
  const git = async (...args: string[]) => (await run('git', ['-C', WORKSPACE_ROOT, ...args])).trim();
  const commit = await git('rev-parse', '--verify', `${revision}^{commit}`);
  const committedAt = Number(await git('show', '--no-patch', '--format=%ct', commit));
  const archive = `${folder}.tar`;
  await mkdir(folder, { recursive: true });
  await git('archive', '--format=tar', `--output=${archive}`, commit);
  await run('tar', ['--extract', '--file', archive, '--directory', folder]);
  const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string };
  return { folder, commit, version, committedAt };
}
