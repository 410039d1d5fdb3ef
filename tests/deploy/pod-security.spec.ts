import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildProgram } from '../../tools/go-tool.ts';
import { EVERYTHING, type KubernetesObject, type PodTemplate, podTemplates, render } from './chart.ts';

const SOURCES = fileURLToPath(new URL('pod-security', import.meta.url));
const KEYS = 'maker-keys';
const SEED = '"key":"mnemonic"';

let program: string;
let objects: KubernetesObject[];
let pods: PodTemplate[];

beforeAll(async () => {
  const sources = await Promise.all(['main.go', 'go.mod', 'go.sum'].map((file) => readFile(join(SOURCES, file))));
  const fingerprint = createHash('sha256').update(Buffer.concat(sources)).digest('hex').slice(0, 12);
  program = await buildProgram('pod-security', fingerprint, SOURCES);
  objects = await render(EVERYTHING);
  pods = podTemplates(objects);
});

/** Violations of PodSecurity 'restricted' by pods, from Kubernetes' own code. */
function violations(
  judged: readonly { name: string; spec: unknown }[],
): Promise<{ name: string; reasons: string[] }[]> {
  return new Promise((resolve, reject) => {
    const child = execFile(program, ['restricted'], (error, stdout) =>
      error ? reject(error) : resolve(JSON.parse(stdout)),
    );
    child.stdin?.end(JSON.stringify(judged));
  });
}

describe('every pod', () => {
  it("passes PodSecurity 'restricted' (design § 10)", async () => {
    expect([...new Set(pods.map(({ component }) => component))].sort()).toEqual([
      'api-gateway',
      'canary',
      'egress-proxy',
      'job',
      'maker-executor',
      'mongodb',
      'nats',
      'ops',
      'payment-watcher',
      'preflight',
      'receipts',
      'recovery',
      'site',
      'test',
      'token-validation',
      'webhook-sender',
    ]);
    expect(await violations(pods.map(({ component, spec }) => ({ name: component, spec })))).toEqual([]);
  });

  it('is checked by code that finds faults', async () => {
    const [pod] = pods;
    const spec = { ...pod?.spec, hostNetwork: true };
    expect(await violations([{ name: 'faulty', spec }])).toMatchObject([{ name: 'faulty' }]);
  });

  it('has a numeric user and read-only root', () => {
    for (const { component, spec } of pods) {
      expect(spec, component).toMatchObject({ automountServiceAccountToken: false, enableServiceLinks: false });
      expect(spec.securityContext.runAsUser, component).toBeGreaterThan(0);
      for (const container of [...(spec.initContainers ?? []), ...spec.containers]) {
        expect(container.securityContext.readOnlyRootFilesystem, `${component}/${container.name}`).toBe(true);
        expect(container.resources.limits.memory, `${component}/${container.name}`).toBeDefined();
      }
    }
  });

  it('has three probes and time to drain', () => {
    for (const { component, owner, spec } of pods) {
      if (
        ['Pod', 'Job', 'CronJob'].includes(owner.kind) ||
        ['nats', 'mongodb', 'egress-proxy', 'ops'].includes(component)
      )
        continue;
      const [container] = spec.containers;
      expect(container.startupProbe.httpGet.path, component).toBe('/livez');
      expect(container.livenessProbe.httpGet.path, component).toBe('/livez');
      expect(container.readinessProbe.httpGet.path, component).toBe('/readyz');
      const drain = container.env.find(({ name }: { name: string }) => name === 'SHUTDOWN_DRAIN_MS');
      const { periodSeconds, failureThreshold } = container.readinessProbe;
      // Only components with a Service have clients that must first choose another pod.
      const isSentTo = ['api-gateway', 'site'].includes(component);
      expect(Number(drain.value), component)[isSentTo ? 'toBeGreaterThan' : 'toBe'](0);
      expect(spec.terminationGracePeriodSeconds * 1000, component).toBeGreaterThan(
        Number(drain.value) + periodSeconds * failureThreshold * 1000,
      );
    }
  });
});

describe('the canary', () => {
  it('mounts its own wallet and no seed', () => {
    const mounting = pods.filter(({ spec }) => JSON.stringify(spec).includes('"secretName":"canary-wallet"'));
    expect(mounting.map(({ component }) => component)).toEqual(['canary']);
    const own = JSON.stringify(mounting[0]?.spec);
    expect(own).not.toMatch(/"seed|MONGO_URL|NATS_URL/);
    expect(own).not.toMatch(/secretKeyRef":\{"name":"canary/);
  });
});

describe('the seed (design § 6)', () => {
  const mentions = (value: unknown): boolean => JSON.stringify(value).includes(SEED);

  it('is mounted as a file by signers only', () => {
    const mounting = pods.filter(({ spec }) => mentions(spec)).map(({ component }) => component);
    expect(mounting.sort()).toEqual(['maker-executor', 'recovery']);
    const references = objects.filter((object) => JSON.stringify(object).includes(`"name":"${KEYS}",${SEED}`));
    expect(references).toEqual([]);
  });

  it('mounts only the keys that it names', () => {
    const volumes = pods.flatMap(({ component, spec }) =>
      (spec.volumes ?? [])
        .filter(({ secret }: { secret?: { secretName: string } }) => secret?.secretName === KEYS)
        .map(({ secret }: { secret: { items?: { key: string }[] } }) => [
          component,
          secret.items?.map(({ key }) => key),
        ]),
    );
    expect(volumes.map(([component]) => component)).toContain('maker-executor');
    for (const [component, keys] of volumes) expect(keys, component).toHaveLength(1);
  });

  it.each(['maker-executor', 'recovery'])('is readable by its owner in %s', (component) => {
    const pod = pods.find((candidate) => candidate.component === component);
    const { volumes, initContainers, containers } = pod?.spec ?? {};
    const volume = (name: string) => volumes.find((candidate: { name: string }) => candidate.name === name);
    const mounts = (container: { volumeMounts: { name: string }[] }) =>
      container.volumeMounts.map((mount) => volume(mount.name));
    expect(mounts(containers[0]).some(mentions)).toBe(false);
    expect(mounts(initContainers[0]).some(mentions)).toBe(true);
    expect(initContainers[0].args.join()).toContain('mode: 0o400');
    const variable = containers[0].env.find(({ name }: { name: string }) => name === 'MAKER_SEED_FILE');
    const argument = containers[0].args?.find((text: string) => text.startsWith('--seed-file='));
    const path = variable?.value ?? argument.replace('--seed-file=', '');
    expect(initContainers[0].args.join()).toContain(`'${path}'`);
    const place = containers[0].volumeMounts.find(({ mountPath }: { mountPath: string }) => path.startsWith(mountPath));
    expect(volume(place.name).emptyDir).toMatchObject({ medium: 'Memory' });
  });
});
