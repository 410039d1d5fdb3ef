import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, readdir, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** This machine's certificate authorities. */
export const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

const NAME_SERVICE = ['libnss_dns.so.2', 'libnss_files.so.2', 'libresolv.so.2'];

/** Copies a file of this machine into a root folder. @param path in the root; default: the same path as here */
export async function placeFile(file: string, root: string, path = file): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await copyFile(await realpath(file), join(root, path));
}

/**
 * Creates a root folder with the libraries of a program, the certificates and a /tmp, and no other files. All users may read
 * them, independent of the umask of this process.
 */
export async function makeProgramRoot(program: string, root: string): Promise<void> {
  const libraries = await execute('ldd', [program]).then(
    ({ stdout }) => stdout,
    // A static program has no libraries.
    () => '',
  );
  for (const [library] of libraries.matchAll(/\/\S+\.so\S*/g)) await placeFile(library, root);
  const directory = libraries ? dirname(/\/\S+libc\.so\.6/.exec(libraries)?.[0] ?? '/lib/x86_64-linux-gnu/') : '';
  if (directory) for (const library of NAME_SERVICE) await placeFile(join(directory, library), root);
  await placeFile(CERTIFICATES, root);
  await writeFile(join(root, 'etc', 'nsswitch.conf'), 'hosts: files dns\n');
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const isProgram = entry.isDirectory() || ((await stat(path)).mode & 0o100) !== 0;
    await chmod(path, isProgram ? 0o755 : 0o644);
  }
  await chmod(root, 0o755);
  await mkdir(join(root, 'tmp'), { recursive: true });
  await chmod(join(root, 'tmp'), 0o1777);
}
