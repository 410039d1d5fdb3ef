import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clientConfigurationSchema } from '@maker/contracts';
import { ACCOUNT_INDEX, demoAccount } from '../chain/accounts.ts';
import { CHAIN_ID } from '../chain/network.ts';
import type { ChainDeployment } from '../chain/run-chain.ts';
import { exchangeRegistry } from '../chain/venues/venues.ts';
import { mongoUrl } from '../processes/mongo.ts';
import { natsUrl } from '../processes/nats.ts';
import { freePort, HOST } from '../processes/ports.ts';
import { allOrNothing, type Start } from './all-or-nothing.ts';
import { ALL_SERVICES, type ReplicaAddresses, type ServiceName, type StackDescription } from './description.ts';
import { type RunningService, runService, type ServiceSpecification } from './running-service.ts';
import { prepareSecrets, type StackSecrets } from './secrets.ts';
import { SERVICE_ARGUMENTS, serviceEnvironment, siteEnvironment } from './service-environment.ts';
import { layOutSite } from './site-files.ts';
import type { StackPorts } from './stack-ports.ts';
import { type StartPlan, startInfrastructure } from './start-infrastructure.ts';

/** Starts the servers, then the services and the site. @returns the content of `stack.json` */
export async function startParts(plan: StartPlan): Promise<StackDescription> {
  const { options, directory } = plan;
  const parts = options.parts ?? 'all';
  const secrets = await prepareSecrets(join(directory, 'secrets'));
  const deployment = await startInfrastructure(plan);
  const stack = describe(plan.ports, secrets, deployment, await replicaAddresses(plan));
  if (parts === 'infrastructure') return stack;
  const starts = await serviceStarts(plan, secrets, stack);
  if (parts === 'all') starts.push(siteStart(plan, stack, secrets.agreementSigner));
  await allOrNothing(starts, options.signal);
  return stack;
}

/** The starts of all replicas of all services. */
async function serviceStarts(plan: StartPlan, secrets: StackSecrets, stack: StackDescription): Promise<Start[]> {
  const { options, directory, ports } = plan;
  const exchangesFile = join(directory, 'exchanges.json');
  await writeFile(exchangesFile, JSON.stringify(exchangeRegistry(stack.contracts), null, 2));
  const { treasury } = stack;
  const reach = options.reach ?? (async (_server, port) => port);
  const [mongo, nats, rpc] = await Promise.all([
    reach('mongod', ports.mongo),
    reach('nats-server', ports.nats),
    reach('chain', ports.rpc),
  ]);
  const began = performance.now();
  return ALL_SERVICES.flatMap((service) => {
    const replicas: RunningService[] = [];
    plan.services.set(service, replicas);
    return stack.replicas[service].map((addresses, index) => async (signal: AbortSignal) => {
      const opsPort = portOf(addresses.ops);
      const reached = {
        ...ports,
        mongo,
        nats,
        rpc,
        [service]: opsPort,
        ...(addresses.api && { api: portOf(addresses.api) }),
      };
      const environment = serviceEnvironment(service, {
        ports: reached,
        mongoBehindOther: mongo !== ports.mongo,
        ...{ secrets, exchangesFile, treasury },
        webhookEndpointsFile: options.webhookEndpointsFile,
      });
      const name = index === 0 ? service : `${service}-${index + 1}`;
      const own = { ...environment, ...options.environment?.[service] };
      const args = SERVICE_ARGUMENTS[service] ?? [];
      replicas[index] = await run(plan, { app: service, name, args, environment: own, opsPort }, signal);
      options.onReady?.(name, performance.now() - began);
    });
  });
}

function siteStart(plan: StartPlan, stack: StackDescription, agreementSigner: string): Start {
  const { options, ports, onSite } = plan;
  const began = performance.now();
  return async (signal) => {
    const configuration = clientConfigurationSchema.parse({
      apiBaseUrl: stack.apiUrl,
      apiKey: stack.apiKey,
      botWalletAddress: stack.treasury,
      chainId: stack.chainId,
      explorerUrl: '',
      // Another host than the site's, so another origin: browsers know names below `localhost` as this machine.
      verifyUrl: `http://verify.localhost:${ports.shell}`,
    });
    const { directory, configurationFile } = await layOutSite(join(plan.directory, 'site'), configuration);
    const environment = siteEnvironment(ports, configurationFile, agreementSigner);
    const args = [directory, ...(options.watchSite ? ['--watch'] : [])];
    onSite(await run(plan, { app: 'site', name: 'site', args, environment, opsPort: ports.site }, signal));
    options.onReady?.('shell and remotes', performance.now() - began);
  };
}

function run(
  { options, directory, onServiceProcess }: StartPlan,
  what: Pick<ServiceSpecification, 'app' | 'name' | 'args' | 'environment' | 'opsPort'>,
  signal: AbortSignal,
): Promise<RunningService> {
  const specification = {
    ...what,
    program: options.program,
    logFile: join(directory, 'logs', `${what.name}.log`),
    restartCrashed: options.restartCrashed ?? false,
    notify: options.notify ?? (() => undefined),
    onProcess: onServiceProcess,
  };
  return runService(specification, signal);
}

const address = (port: number): string => `http://${HOST}:${port}`;

const portOf = (url: string): number => Number(new URL(url).port);

/** The first replica of each service has the ports of the stack; further ones have free ports. */
async function replicaAddresses({ options, ports }: StartPlan): Promise<StackDescription['replicas']> {
  const addresses: Partial<StackDescription['replicas']> = {};
  const asked = (service: ServiceName) => service !== 'webhook-sender' || options.webhookEndpointsFile !== undefined;
  for (const service of ALL_SERVICES) {
    const listed: ReplicaAddresses[] = [];
    for (let index = 0; asked(service) && index < (options.replicas?.[service] ?? 1); index++) {
      const ops = index === 0 ? ports[service] : await freePort();
      const api = index === 0 ? ports.api : await freePort();
      listed.push({ ops: address(ops), ...(service === 'api-gateway' && { api: address(api) }) });
    }
    addresses[service] = listed;
  }
  return addresses as StackDescription['replicas'];
}

function describe(
  ports: StackPorts,
  secrets: StackSecrets,
  { contracts, tokens }: ChainDeployment,
  replicas: StackDescription['replicas'],
): StackDescription {
  return {
    shellUrl: address(ports.shell),
    apiUrl: address(ports.api),
    apiKey: secrets.apiKey,
    operatorApiKey: secrets.operatorApiKey,
    operators: secrets.operators.map(({ name, keyFile }) => ({ name, keyFile })),
    rpcUrl: address(ports.rpc),
    chainControlUrl: address(ports['chain-control']),
    chainId: CHAIN_ID,
    mongoUrl: mongoUrl(ports.mongo),
    natsUrl: natsUrl(ports.nats),
    ops: Object.fromEntries(
      ALL_SERVICES.filter((service) => replicas[service].length > 0).map((service) => [
        service,
        address(ports[service]),
      ]),
    ) as StackDescription['ops'],
    replicas,
    treasury: demoAccount(ACCOUNT_INDEX.treasury).address,
    payer: demoAccount(ACCOUNT_INDEX.payer),
    tokens,
    contracts,
  };
}
