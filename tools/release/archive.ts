import { rm } from 'node:fs/promises';
import type { RunStep } from './run-step.ts';

/** Options for packing a folder. */
export interface ArchiveForm {
  /** Modification time of every file, s since 1970. */
  readonly time: number;
  /** Name of the folder in the archive; `.` for the root. */
  readonly as: string;
  /** Keeps the files' rights; otherwise all users may read and only the owner may write, independently of the builder's umask. */
  readonly keepsRights?: boolean;
}

/**
 * Packs a folder with tar and gzip. The same content gives the same bytes on any machine at any time: sorted names, one time, no owners.
 * @param file path that ends in .tar.gz
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
