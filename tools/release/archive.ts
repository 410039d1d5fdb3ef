import { rm } from 'node:fs/promises';
import type { RunStep } from './run-step.ts';

/** How a folder is packed. */
export interface ArchiveForm {
  /** Of every file, s since 1970. */
  readonly time: number;
  /** What the folder is called inside; `.` for the root. */
  readonly as: string;
  /** Leaves rights as they are; else everybody may read and nobody but the owner write, whatever the builder's umask was. */
  readonly keepsRights?: boolean;
}

/**
 * Packs a folder by tar and gzip so that the same content gives the same bytes, whoever packs it and when: names in order, one time,
 * no owners.
 * @param file its name ends in .tar.gz
 */
export async function archive(run: RunStep, folder: string, file: string, form: ArchiveForm): Promise<void> {
  const plain = file.replace(/\.gz$/, '');
  await rm(file, { force: true });
  await run('tar', [
    ...['--create', '--file', plain, '--directory', folder, '--format', 'gnu', '--hard-dereference'],
    ...['--sort', 'name', '--mtime', `@${form.time}`, '--owner', '0', '--group', '0', '--numeric-owner'],
    ...(form.keepsRights ? [] : ['--mode', 'u+rwX,go+rX,go-w']),
    ...(form.as === '.' ? [] : ['--transform', `s,^\\.,${form.as},S`]),
    '.',
  ]);
  await run('gzip', ['--no-name', plain]);
}
