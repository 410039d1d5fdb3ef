import { chmod, cp, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CERTIFICATES, makeProgramRoot, placeFile } from '../../../tools/program-root.ts';
import { needProgram, output, show } from './command.ts';
import type { ImageBuilder } from './image-builder.ts';

/** Requires the program that makes {@link LOCAL_BASES}. @throws MissingProgram */
const needDebootstrap = (): Promise<void> =>
  needProgram('debootstrap', 'CLUSTER_IMAGES=debian makes base images with it (Debian: apt-get install debootstrap)');

/** Images that replace the official ones without a registry. */
export const LOCAL_BASES = { build: 'localhost/node-debian:24', runtime: 'localhost/cc-debian:12' } as const;

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'maker-rootfs-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes an image with programs of this machine. @param programs by their paths in the image */
export async function programImage(
  builder: ImageBuilder,
  programs: Readonly<Record<string, string>>,
  name: string,
): Promise<void> {
  await inFolder(async (root) => {
    for (const [path, program] of Object.entries(programs)) {
      await makeProgramRoot(program, root);
      await placeFile(program, root, path);
      await chmod(join(root, path), 0o755);
    }
    await builder.fromFolder(root, name);
  });
}

/**
 * Makes {@link LOCAL_BASES} from Debian's packages and this machine's Node and npm: a plain Debian-based Node image and the
 * libraries that Node needs.
 */
export async function makeLocalBases(builder: ImageBuilder): Promise<void> {
  const node = process.execPath;
  if (!(await builder.has(LOCAL_BASES.runtime))) {
    await inFolder(async (root) => {
      await makeProgramRoot(node, root);
      await builder.fromFolder(root, LOCAL_BASES.runtime);
    });
  }
  if (await builder.has(LOCAL_BASES.build)) return;
  await needDebootstrap();
  await inFolder(async (root) => {
    const packages = ['--variant=minbase', '--include=ca-certificates', 'bookworm'];
    await show('debootstrap', [...packages, root, 'http://deb.debian.org/debian']);
    await placeFile(node, root, '/usr/local/bin/node');
    const npm = dirname(dirname(await realpath((await output('sh', ['-c', 'command -v npm'])).trim())));
    await cp(npm, join(root, 'usr', 'local', 'lib', 'node_modules', 'npm'), { recursive: true });
    await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr', 'local', 'bin', 'npm'));
    await placeFile(CERTIFICATES, root);
    await writeFile(join(root, 'usr/local/lib/node_modules/npm/npmrc'), `cafile=${CERTIFICATES}\n`);
    await builder.fromFolder(root, LOCAL_BASES.build);
  });
}
