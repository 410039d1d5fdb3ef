import { until } from '../../support/until.ts';
import { output } from './command.ts';
import { SERVICE_IMAGE } from './images.ts';
import { kubectl, NAMESPACE } from './kubernetes.ts';

/** Makes folders that belong to root and heeds no `fsGroup`. */
const ROOT_ONLY_PROVISIONER = 'kubernetes.io/host-path';
/** Takes pods that PodSecurity 'restricted' forbids. */
const ROOTS_NAMESPACE = 'default';

/** Whether only root may write to what the cluster's storage classes give. */
export async function areVolumesOfRoot(): Promise<boolean> {
  const classes = ['get', 'storageclasses', '--output', 'jsonpath={.items[*].provisioner}'];
  return (await output('kubectl', classes)).includes(ROOT_ONLY_PROVISIONER);
}

/** Claims a volume before its StatefulSet does, and opens it to every user, as better provisioners do. */
export async function openVolume(claim: string): Promise<void> {
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '2Gi' } } };
  const object = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: claim }, spec };
  await kubectl(['create', '--filename', '-'], JSON.stringify(object));
  const volume = await until(
    'a volume',
    () => kubectl(['get', `persistentvolumeclaim/${claim}`, '--output', 'jsonpath={.spec.volumeName}']),
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
