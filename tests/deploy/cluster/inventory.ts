import { output } from './command.ts';
import { kubectl, NAMESPACE } from './kubernetes.ts';

/** Kinds that the cluster itself creates, independent of a release. */
const NOT_OF_A_RELEASE = ['events', 'events.events.k8s.io', 'leases.coordination.k8s.io'];

/** Objects that a controller renames for each revision or pod. */
const PER_REVISION = /^(pod|replicaset|controllerrevision|endpointslice|secret\/sh\.helm\.release)/;

/** Names of every object in the namespace, of every kind in the cluster, and of volumes claimed from it. */
export async function everything(): Promise<string[]> {
  const kinds = (await output('kubectl', ['api-resources', '--namespaced', '--verbs=list', '--output=name']))
    .split('\n')
    .filter((kind) => kind && !NOT_OF_A_RELEASE.includes(kind) && !kind.endsWith('.metrics.k8s.io'));
  const found = await kubectl(['get', kinds.join(','), '--output', 'name', '--ignore-not-found']);
  const claimed = `jsonpath={range .items[?(@.spec.claimRef.namespace=="${NAMESPACE}")]}persistentvolume/{.metadata.name}{"\\n"}{end}`;
  const volumes = await output('kubectl', ['get', 'persistentvolumes', '--output', claimed]);
  return [...new Set([...found.split('\n'), ...volumes.split('\n')])].filter(Boolean).sort();
}

/** The objects of {@link everything} that the release itself names. */
export async function lastingObjects(): Promise<string[]> {
  return (await everything()).filter((name) => !PER_REVISION.test(name));
}
