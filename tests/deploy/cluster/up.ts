import { dirname, join } from 'node:path';
import { EXAMPLES } from '../chart.ts';
import { MissingProgram, output, show, succeeds } from './command.ts';
import { prepareImages } from './images.ts';
import { NAMESPACE, RELEASE, startServiceProxy } from './kubernetes.ts';
import { prepareInstallation } from './product.ts';

const CLUSTER = 'maker';

for (const [program, args] of [
  ['docker', ['info']],
  ['kind', ['version']],
  ['kubectl', ['version', '--client']],
] as const) {
  if (await succeeds(program, args)) continue;
  console.error(`✗ ${program} is needed, and running: npm run k8s:up makes a kind cluster on this machine`);
  process.exit(1);
}
const clusters = (await output('kind', ['get', 'clusters'])).split('\n');
if (!clusters.includes(CLUSTER)) {
  await show('kind', ['create', 'cluster', '--name', CLUSTER, '--config', join(dirname(EXAMPLES), 'kind.yaml')]);
}
await output('kubectl', ['config', 'use-context', `kind-${CLUSTER}`]);
try {
  await install();
} catch (error) {
  if (!(error instanceof MissingProgram)) throw error;
  console.error(`✗ ${error.message}`);
  process.exitCode = 1;
}

async function install(): Promise<void> {
  const images = await prepareImages();
  const proxy = await startServiceProxy();
  try {
    const installation = await prepareInstallation(images, proxy);
    await installation.apply('install', {});
    const { tokens, payer } = installation.stack;
    console.log(`
The product runs. In two terminals:
  kubectl -n ${NAMESPACE} port-forward service/${RELEASE}-hyperevm-maker-bot-site 8080:80
  kubectl -n ${NAMESPACE} port-forward service/${RELEASE}-hyperevm-maker-bot-api-gateway 8081:80
Open http://localhost:8080 and enter a demo token: ${tokens.both}
The chain, with ${payer.address} as a payer: kubectl -n ${NAMESPACE} port-forward service/chain 8545:8545
End it: kind delete cluster --name ${CLUSTER}`);
  } finally {
    proxy.stop();
  }
}
