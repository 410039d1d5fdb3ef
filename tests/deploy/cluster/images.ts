import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ALL_SERVICES, findAnvil, findMongod, findNatsServer } from '@maker/local-stack';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { LOCAL_BASES, makeLocalBases, programImage } from './base-images.ts';
import { findImageBuilder, type ImageBuilder, loadImage } from './image-builder.ts';

const REPOSITORY = 'localhost/hyperevm-maker-bot';

/** Checks whether a MongoDB server is a primary. */
const PRIMARY = fileURLToPath(new URL('primary.cjs', import.meta.url));

/** Tag of the installed images. */
export const TAG = 'local';

/** Tag of a second set for upgrades: the same content with another label, and so another digest. */
export const NEXT_TAG = 'local-next';

/** An image with Node that every node of the cluster has. */
export const SERVICE_IMAGE = `${REPOSITORY}/job:${TAG}`;

/** The running components; each has an image. */
export const COMPONENTS = [...ALL_SERVICES, 'site'] as const;

/** The built programs: the components and the operators' program. */
const PROGRAMS = [...COMPONENTS, 'ops'] as const;

/** Images of the servers; the official ones unless built here. */
export interface ServerImages {
  readonly chain?: string;
  readonly nats?: string;
  /** Has a readiness command, if the image has no mongosh. */
  readonly mongodb?: { readonly image: string; readonly primaryCommand: readonly string[] };
}

/**
 * Builds every image and loads it on the cluster's nodes, for an upgrade with a second set. `BUILD_IMAGE` and `RUNTIME_IMAGE` are passed
 * to the Dockerfiles. `CLUSTER_IMAGES=debian` is for machines without a container registry: it makes the base images, and those of
 * NATS, MongoDB and anvil, from Debian's packages and the local stack's programs. `CLUSTER_SKIP_BUILD` uses existing images.
 */
export async function prepareImages({ forUpgrade = false } = {}): Promise<ServerImages> {
  const builder = await findImageBuilder();
  const place = { sources: WORKSPACE_ROOT, tag: TAG, bases: await prepareBases(builder) };
  for (const component of PROGRAMS) {
    await prepareComponent(builder, component, place);
    if (forUpgrade) await prepareSuccessor(builder, component);
  }
  return isOffline() ? prepareServers(builder) : {};
}

/** Whether to use no container registry. */
export const isOffline = () => process.env.CLUSTER_IMAGES === 'debian';

/** Base images, as arguments of the Dockerfiles. */
async function prepareBases(builder: ImageBuilder): Promise<Readonly<Record<string, string>>> {
  if (isOffline()) await makeLocalBases(builder);
  return {
    ...(isOffline() ? { BUILD_IMAGE: LOCAL_BASES.build, RUNTIME_IMAGE: LOCAL_BASES.runtime } : {}),
    ...(process.env.BUILD_IMAGE ? { BUILD_IMAGE: process.env.BUILD_IMAGE } : {}),
    ...(process.env.RUNTIME_IMAGE ? { RUNTIME_IMAGE: process.env.RUNTIME_IMAGE } : {}),
  };
}

interface ImagePlace {
  readonly sources: string;
  readonly tag: string;
  readonly bases: Readonly<Record<string, string>>;
}

async function prepareComponent(
  builder: ImageBuilder,
  component: string,
  { sources, tag, bases }: ImagePlace,
): Promise<void> {
  const name = `${REPOSITORY}/${component}:${tag}`;
  if (!(process.env.CLUSTER_SKIP_BUILD && (await builder.has(name)))) {
    console.log(`… building ${name}`);
    // Components with files for browsers have their own Dockerfile.
    const own = `docker/${component}.Dockerfile`;
    const [dockerfile, service] = existsSync(join(sources, own))
      ? [own, {}]
      : ['docker/service.Dockerfile', { SERVICE: component }];
    await builder.build(dockerfile, name, { ...bases, ...service }, sources);
  }
  await bring(builder, name);
}

async function prepareSuccessor(builder: ImageBuilder, component: string): Promise<void> {
  const next = `${REPOSITORY}/${component}:${NEXT_TAG}`;
  await builder.relabel(`${REPOSITORY}/${component}:${TAG}`, next, NEXT_TAG);
  await bring(builder, next);
}

async function bring(builder: ImageBuilder, name: string): Promise<void> {
  await loadImage(builder, name);
  console.log(`✓ ${name} is on the nodes`);
}

async function prepareServers(builder: ImageBuilder): Promise<ServerImages> {
  const servers = {
    chain: { image: `${REPOSITORY}/anvil:${TAG}`, programs: { '/usr/bin/anvil': await findAnvil() } },
    nats: { image: `${REPOSITORY}/nats:${TAG}`, programs: { '/usr/bin/nats-server': await findNatsServer() } },
    mongodb: {
      image: `${REPOSITORY}/mongodb:${TAG}`,
      programs: { '/usr/bin/mongod': await findMongod(), '/usr/bin/node': process.execPath },
    },
  };
  for (const { image, programs } of Object.values(servers)) {
    if (!(process.env.CLUSTER_SKIP_BUILD && (await builder.has(image)))) await programImage(builder, programs, image);
    await bring(builder, image);
  }
  const primaryCommand = ['/usr/bin/node', '-e', await readFile(PRIMARY, 'utf8')];
  return {
    chain: servers.chain.image,
    nats: servers.nats.image,
    mongodb: { image: servers.mongodb.image, primaryCommand },
  };
}
