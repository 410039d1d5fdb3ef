import { COMPONENTS } from './images.ts';
import { kubectl } from './kubernetes.ts';

/** A pod of one of the components. */
export interface ComponentPod {
  readonly uid: string;
  readonly component: string;
  /** Tag of its container's image. */
  readonly tag: string;
}

/** The components' pods that are not on their way out. */
export async function componentPods(): Promise<ComponentPod[]> {
  const { items } = JSON.parse(await kubectl(['get', 'pods', '--output', 'json']));
  return items
    .filter(({ metadata }: { metadata: { deletionTimestamp?: string } }) => !metadata.deletionTimestamp)
    .map(
      ({
        metadata,
        spec,
      }: {
        metadata: Record<string, never>;
        spec: { containers: { image: string }[] };
      }): ComponentPod => ({
        uid: metadata.uid ?? '',
        component: metadata.labels?.['app.kubernetes.io/component'] ?? '',
        tag: spec.containers[0]?.image.split(':').at(-1) ?? '',
      }),
    )
    .filter(({ component }: ComponentPod) => (COMPONENTS as readonly string[]).includes(component));
}
