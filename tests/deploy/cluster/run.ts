import { parseArgs } from 'node:util';
import { MissingProgram, output } from './command.ts';
import { runEvaluation } from './evaluation.ts';
import { prepareImages, type ServerImages } from './images.ts';
import { kubectl, NAMESPACE, RELEASE, type ServiceProxy, startServiceProxy } from './kubernetes.ts';
import { runLifecycle } from './lifecycle.ts';
import { runPolicies } from './policies.ts';
import { prepareInstallation } from './product.ts';
import { runProduction } from './production.ts';
import { runRecovery } from './recovery.ts';
import { refuseInstallations, refuseUpgrades } from './refusals.ts';
import { runRegistry } from './registry.ts';
import { runScaling } from './scaling.ts';
import { begin, currentStep } from './steps.ts';

const SERVICE_PODS = `app.kubernetes.io/instance=${RELEASE},app.kubernetes.io/component notin (nats,mongodb)`;
/** Longer than deleting every pod in turn takes. */
const LONG_WINDOW = { job: { plan: { executionWindowSeconds: 420 } } };

/** The tested parts, each with its own namespace. */
const PARTS: Record<string, (images: ServerImages, proxy: ServiceProxy) => Promise<void>> = {
  evaluation: runEvaluation,
  production: runProduction,
  async lifecycle(images, proxy) {
    await runLifecycle(await prepareInstallation(images, proxy));
  },
  async standing(images, proxy) {
    const installation = await prepareInstallation(images, proxy);
    await refuseInstallations(installation);
    begin('helm install');
    await installation.apply('install', LONG_WINDOW);
    await refuseUpgrades(installation);
    await runPolicies();
    await runRecovery(installation.product);
  },
  async scaling(images, proxy) {
    await runScaling(await prepareInstallation(images, proxy));
  },
  async registry(images, proxy) {
    await runRegistry(await prepareInstallation(images, proxy), registryHost());
  },
};

let proxy: ServiceProxy | undefined;

/** @throws Error if no registry is set */
function registryHost(): string {
  const host = process.env.CLUSTER_REGISTRY;
  if (!host) throw new Error('CLUSTER_REGISTRY names no place for a registry; see k8s/README.md');
  return host;
}

async function printWhatIsThere(): Promise<void> {
  for (const args of [
    ['get', 'pods', '--output', 'wide'],
    ['get', 'events', '--sort-by', '.lastTimestamp'],
    ['logs', '--selector', SERVICE_PODS, '--all-containers', '--prefix', '--tail', '15'],
  ]) {
    console.error(await kubectl(args).catch((error: unknown) => String(error)));
  }
}

async function clean(): Promise<void> {
  await output('kubectl', ['delete', 'namespace', NAMESPACE, '--ignore-not-found', '--timeout', '180s']);
}

async function runWithImages(parts: readonly string[]): Promise<void> {
  begin('images');
  const images = await prepareImages({ forUpgrade: parts.includes('lifecycle') });
  proxy = await startServiceProxy();
  for (const part of parts) {
    begin(`${part}: namespace, Secrets and chain`);
    await clean();
    await PARTS[part]?.(images, proxy);
  }
}

if (!process.env.KUBECONFIG) {
  console.error('✗ KUBECONFIG names no cluster; see k8s/README.md');
  process.exit(1);
}
const { positionals } = parseArgs({ allowPositionals: true });
const all = Object.keys(PARTS);
const chosen = positionals.length > 0 ? positionals : all;
const unknown = chosen.filter((part) => !all.includes(part));
if (unknown.length > 0) {
  console.error(`✗ no such part: ${unknown.join(', ')}; there are ${all.join(', ')}`);
  process.exit(1);
}
try {
  // Fails at the start, not after half an hour.
  if (chosen.includes('registry')) registryHost();
  await runWithImages(chosen);
  await clean();
  console.log('\n✓ all of it holds');
} catch (error) {
  process.exitCode = 1;
  if (error instanceof MissingProgram) console.error(`✗ ${error.message}`);
  else {
    console.error(`\n✗ ${currentStep()}:`, error);
    await printWhatIsThere();
  }
} finally {
  proxy?.stop();
}
