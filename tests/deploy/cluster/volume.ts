import { until } from '../../support/until.ts';
import { output } from './command.ts';
import { SERVICE_IMAGE } from './images.ts';
import { NAMESPACE, RELEASE } from './kubernetes.ts';

/** A provisioner whose folders belong to root; it ignores `fsGroup`. */
const ROOT_ONLY_PROVISIONER = 'kubernetes.io/host-path';
/** A namespace that accepts pods forbidden by PodSecurity 'restricted'. */
const ROOTS_NAMESPACE = 'default';

/** Claims the volume of the release's MongoDB first; see {@link prepareVolume}. */
export const prepareVolumes = () => prepareVolume(`data-${RELEASE}-hyperevm-maker-bot-mongodb-0`, '2Gi', NAMESPACE);

/** Claims a volume before its StatefulSet does, if the cluster's volumes belong to root. */
export async function prepareVolume(claim: string, storage: string, namespace: string): Promise<void> {
  if (await areVolumesOfRoot()) await openVolume(claim, storage, namespace);
}

/** Whether only root can write to volumes of the cluster's storage classes. */
async function areVolumesOfRoot(): Promise<boolean> {
  const classes = ['get', 'storageclasses', '--output', 'jsonpath={.items[*].provisioner}'];
  return (await output('kubectl', classes)).includes(ROOT_ONLY_PROVISIONER);
}

/** Claims a volume before its StatefulSet does, and makes it writable for every user, as other provisioners do. */
async function openVolume(claim: string, storage: string, namespace: string): Promise<void> {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } };
  const object = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: claim }, spec };
  const own = ['--namespace', namespace];
  await output('kubectl', [...own, 'create', '--filename', '-'], JSON.stringify(object));
  const volume = await until(
    'a volume',
    () =>
      output('kubectl', [...own, 'get', `persistentvolumeclaim/${claim}`, '--output', 'jsonpath={.spec.volumeName}']),
    (name) => name !== '',
  );
  const path = await output('kubectl', [
    'get',
    `persistentvolume/${volume}`,
    '--output',
    'jsonpath={.spec.hostPath.path}',
  ]);
  const name = `open-${NAMESPACE}-volume`;
  const container = {
    name: 'open',
    image: SERVICE_IMAGE,
    imagePullPolicy: 'IfNotPresent',
    command: ['/app/node', '-e', "require('node:fs').chmodSync('/volume', 0o777)"],
    securityContext: { runAsUser: 0 },
    volumeMounts: [{ name: 'volume', mountPath: '/volume' }],
  };
  const pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: { restartPolicy: 'Never', containers: [container], volumes: [{ name: 'volume', hostPath: { path } }] },
  };
  const inNamespace = ['--namespace', ROOTS_NAMESPACE];
  await output('kubectl', [...inNamespace, 'create', '--filename', '-'], JSON.stringify(pod));
  try {
    const done = ['--for', 'jsonpath={.status.phase}=Succeeded', '--timeout', '60s'];
    await output('kubectl', [...inNamespace, 'wait', `pod/${name}`, ...done]);
  } finally {
    await output('kubectl', [...inNamespace, 'delete', `pod/${name}`]);
  }
}
