import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { makeProgramRoot } from '../program-root.ts';
import { archive } from './archive.ts';
import type { Tree } from './build-trees.ts';
import type { Sources } from './check-out.ts';
import type { Component } from './components.ts';
import type { RunStep } from './run-step.ts';

/** Target and base of images. */
export interface ImagePlace {
  /** Path of crane. */
  readonly crane: string;
  /** Registry and path before a component's name. */
  readonly repository: string;
  /** A base image with the C and C++ libraries that Node needs; undefined: this machine's libraries. */
  readonly base: string | undefined;
  /** Folder of layers. */
  readonly workFolder: string;
}

/** A pushed image. */
export interface ReleasedImage {
  readonly component: Component;
  /** Registry, path and digest. */
  readonly reference: string;
  readonly digest: string;
}

/** The user 'nonroot' of the distroless images. Any other id works too, because nothing is written. */
const USER = '65532:65532';
const PLATFORM = 'linux/amd64';

/**
 * Makes an image of each tree like the Dockerfiles, but without a daemon: base, Node, and the component's files. Its bytes depend only on
 * the commit, the base and Node.
 */
export async function makeImages(
  run: RunStep,
  { crane, repository, base, workFolder }: ImagePlace,
  sources: Sources,
  trees: readonly Tree[],
): Promise<readonly ReleasedImage[]> {
  const under = base
    ? ['--base', base, '--set-base-image-annotations']
    : ['--oci-empty-base', '--new_layer', await runtimeLayer(run, workFolder, sources.committedAt)];
  const node = await nodeLayer(run, workFolder, sources.committedAt);
  const images: ReleasedImage[] = [];
  for (const { component, folder } of trees) {
    const layer = join(workFolder, `${component}.tar.gz`);
    await archive(run, folder, layer, { time: sources.committedAt, as: 'app' });
    const name = `${repository}/${component}`;
    const layers = ['--new_layer', node, '--new_layer', layer];
    const bare = referenceIn(
      await run(crane, ['append', '--platform', PLATFORM, ...under, ...layers, '--new_tag', `${name}:layers`]),
    );
    const tag = ['--tag', `${name}:${sources.version}`];
    const reference = referenceIn(await run(crane, ['mutate', bare, ...settingsOf(component, sources), ...tag]));
    images.push({ component, reference, digest: reference.slice(reference.indexOf('@') + 1) });
  }
  return images;
}

function settingsOf(component: Component, { version, commit, committedAt }: Sources): readonly string[] {
  // No signal can start the debugger, which could read every key in memory.
  const entrypoint = ['/app/node', '--disable-sigusr1', '--enable-source-maps', 'dist/main.js'];
  if (component === 'site') entrypoint.push('/app/site');
  const label = 'org.opencontainers.image';
  return [
    ...['--set-platform', PLATFORM, '--user', USER, '--workdir', `/app/apps/${component}`],
    ...['--entrypoint', entrypoint.join(','), '--exposed-ports', '8080', '--exposed-ports', '9090'],
    ...['--env', 'NODE_ENV=production', '--env', 'MALLOC_ARENA_MAX=1'],
    ...['--label', `${label}.title=hyperevm-maker-bot ${component}`, '--label', `${label}.version=${version}`],
    ...['--label', `${label}.revision=${commit}`, '--label', `${label}.licenses=UNLICENSED`],
    ...['--label', `${label}.created=${new Date(committedAt * 1000).toISOString()}`],
  ];
}

/** The layer with Node, which all images share. */
async function nodeLayer(run: RunStep, workFolder: string, time: number): Promise<string> {
  const folder = join(workFolder, 'node');
  const layer = join(workFolder, 'node.tar.gz');
  await mkdir(folder, { recursive: true });
  await copyFile(process.execPath, join(folder, 'node'));
  await archive(run, folder, layer, { time, as: 'app' });
  return layer;
}

async function runtimeLayer(run: RunStep, workFolder: string, time: number): Promise<string> {
  const folder = join(workFolder, 'runtime');
  const layer = join(workFolder, 'runtime.tar.gz');
  await mkdir(folder, { recursive: true });
  await makeProgramRoot(process.execPath, folder);
  await archive(run, folder, layer, { time, as: '.', keepsRights: true });
  return layer;
}

/** The pushed reference, from the last line of the output. */
function referenceIn(written: string): string {
  const [reference] = /\S+@sha256:[0-9a-f]{64}\s*$/.exec(written.trim()) ?? [];
  if (!reference) throw new Error(`crane named no image: ${written}`);
  return reference.trim();
}
