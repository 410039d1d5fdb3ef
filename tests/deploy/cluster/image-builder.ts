import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MissingProgram, output, show, succeeds } from './command.ts';

/** Builds images and writes them as archives. */
export interface ImageBuilder {
  /** Builds a Dockerfile. @param sources folder of the Dockerfile and its files */
  build(dockerfile: string, name: string, buildArgs: Readonly<Record<string, string>>, sources: string): Promise<void>;
  /** Makes another image of the same layers with another version label. */
  relabel(name: string, next: string, version: string): Promise<void>;
  /** Makes an image of one layer from a folder. */
  fromFolder(folder: string, name: string): Promise<void>;
  has(name: string): Promise<boolean>;
  /** Writes an image as a docker archive. */
  save(name: string, archive: string): Promise<void>;
}

const asArguments = (buildArgs: Readonly<Record<string, string>>): string[] =>
  Object.entries(buildArgs).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`]);

/** Builds a folder with `build` whose Dockerfile gives an image another version. */
async function relabelled(name: string, version: string, build: (folder: string) => Promise<unknown>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'maker-image-'));
  try {
    const label = `FROM ${name}\nLABEL org.opencontainers.image.version="${version}"\n`;
    await writeFile(join(folder, 'Dockerfile'), label);
    await build(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const docker: ImageBuilder = {
  build: (dockerfile, name, buildArgs, sources) =>
    show('docker', ['build', '-f', dockerfile, '-t', name, ...asArguments(buildArgs), '.'], sources),
  relabel: (name, next, version) =>
    relabelled(name, version, (folder) => output('docker', ['build', '-t', next, folder])),
  fromFolder: (folder, name) => show('sh', ['-c', 'tar -C "$0" -c . | docker import - "$1"', folder, name]),
  has: (name) => succeeds('docker', ['image', 'inspect', name]),
  save: (name, archive) => show('docker', ['save', '-o', archive, name]),
};

/** Needs no daemon and no kernel feature except chroot. */
const buildah: ImageBuilder = {
  build: (dockerfile, name, buildArgs, sources) =>
    show(
      'buildah',
      ['bud', '--isolation', 'chroot', '--layers', '-f', dockerfile, '-t', name, ...asArguments(buildArgs), '.'],
      sources,
    ),
  relabel: (name, next, version) =>
    relabelled(name, version, (folder) => output('buildah', ['bud', '--isolation', 'chroot', '-t', next, folder])),
  async fromFolder(folder, name) {
    const container = (await output('buildah', ['from', 'scratch'])).trim();
    try {
      await output('buildah', ['copy', '--quiet', container, folder, '/']);
      const path = 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
      await output('buildah', ['config', '--env', path, container]);
      await output('buildah', ['commit', '--quiet', container, name]);
    } finally {
      await output('buildah', ['rm', container]);
    }
  },
  has: (name) => succeeds('buildah', ['inspect', '--type', 'image', name]),
  save: (name, archive) => show('buildah', ['push', '--quiet', name, `docker-archive:${archive}:${name}`]),
};

/** docker if its engine runs, else buildah. @throws MissingProgram if the machine has neither */
export async function findImageBuilder(): Promise<ImageBuilder> {
  if (await succeeds('docker', ['info'])) return docker;
  if (await succeeds('buildah', ['--version'])) return buildah;
  throw new MissingProgram('images need a running docker or buildah (Debian: apt-get install buildah crun)');
}

/** The command that loads an archive on the nodes; the archive's path is its last argument. */
function loadCommand(): string[] {
  const command = process.env.CLUSTER_LOAD_IMAGE ?? 'kind load image-archive --name maker';
  return command.split(' ').filter(Boolean);
}

/** Loads an image on the cluster's nodes. */
export async function loadImage(builder: ImageBuilder, name: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'maker-image-'));
  try {
    const archive = join(folder, 'image.tar');
    await builder.save(name, archive);
    const [command = '', ...args] = loadCommand();
    await output(command, [...args, archive]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
