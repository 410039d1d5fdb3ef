import { COMPONENTS } from './images.ts';
import { kubectl } from './kubernetes.ts';

/** A pod of one of the components. */
export interface ComponentPod {
  readonly uid: string;
  readonly component: string;
  /** Tag of its container's image. */
  readonly tag: string;
  /** Digest of the image that runs, whatever its tag. */
  readonly imageId: string;
}

interface Pod {
  readonly metadata: { uid: string; deletionTimestamp?: string; labels?: Record<string, string> };
  readonly spec: { containers: { image: string }[] };
  readonly status: { containerStatuses?: { imageID: string }[] };
}

/** The components' pods that are not on their way out. */
export async function componentPods(): Promise<ComponentPod[]> {
  const { items } = JSON.parse(await kubectl(['get', 'pods', '--output', 'json'])) as { items: Pod[] };
  return items
    .filter(({ metadata }) => !metadata.deletionTimestamp)
    .map(({ metadata, spec, status }) => ({
      uid: metadata.uid,
      component: metadata.labels?.['app.kubernetes.io/component'] ?? '',
      tag: spec.containers[0]?.image.split(':').at(-1) ?? '',
      imageId: status.containerStatuses?.[0]?.imageID ?? '',
    }))
    .filter(({ component }) => (COMPONENTS as readonly string[]).includes(component));
}
