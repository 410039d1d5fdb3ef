import { deepStrictEqual as same } from 'node:assert';
import { until } from '../../support/until.ts';
import { COMPONENTS } from './images.ts';
import { kubectl, RELEASE } from './kubernetes.ts';

/** A pod of the release. */
export interface ReleasePod {
  readonly name: string;
  readonly uid: string;
  readonly address: string;
  readonly component: string;
  readonly isReady: boolean;
  /** Tag of its container's image. */
  readonly tag: string;
  /** Digest of the running image, independent of its tag. */
  readonly imageId: string;
}

interface Pod {
  readonly metadata: { name: string; uid: string; deletionTimestamp?: string; labels?: Record<string, string> };
  readonly spec: { containers: { image: string }[] };
  readonly status: {
    phase: string;
    podIP?: string;
    conditions?: { type: string; status: string }[];
    containerStatuses?: { imageID: string }[];
  };
}

/** Phases of ended pods: failed hooks stay. */
const ENDED = ['Succeeded', 'Failed'];

/** The release's running pods that are not terminating: of the components and of the servers. */
export async function releasePods(): Promise<ReleasePod[]> {
  const selector = ['--selector', `app.kubernetes.io/instance=${RELEASE},app.kubernetes.io/component`];
  const { items } = JSON.parse(await kubectl(['get', 'pods', ...selector, '--output', 'json'])) as { items: Pod[] };
  return items
    .filter(({ metadata, status }) => !metadata.deletionTimestamp && !ENDED.includes(status.phase))
    .map(({ metadata, spec, status }) => ({
      name: metadata.name,
      uid: metadata.uid,
      address: status.podIP ?? '',
      component: metadata.labels?.['app.kubernetes.io/component'] ?? '',
      isReady: (status.conditions ?? []).some(({ type, status }) => type === 'Ready' && status === 'True'),
      tag: spec.containers[0]?.image.split(':').at(-1) ?? '',
      imageId: status.containerStatuses?.[0]?.imageID ?? '',
    }));
}

/** The components' pods of {@link releasePods}. */
export async function componentPods(): Promise<ReleasePod[]> {
  return (await releasePods()).filter(({ component }) => (COMPONENTS as readonly string[]).includes(component));
}

/** Servers, whose images have their own tags. */
const SERVERS = ['nats', 'mongodb'];

/** Asserts that every component runs images of a tag, and that nothing else runs except servers. */
export async function expectTag(tag: string, components: readonly string[] = COMPONENTS): Promise<void> {
  const ours = async () => (await releasePods()).filter(({ component }) => !SERVERS.includes(component));
  const pods = await until('pods of one version', ours, (found) => found.every((pod) => pod.tag === tag), {
    timeoutMs: 120_000,
    everyMs: 1000,
  });
  same([...new Set(pods.map(({ component }) => component))].sort(), [...components].sort());
  console.log(`${pods.length} pods of ${components.length} components run ${tag}`);
}
