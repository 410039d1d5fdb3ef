import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clientConfigurationSchema } from '@maker/contracts';
import { ACCOUNT_INDEX, demoAccount } from '../chain/accounts.ts';
import { CHAIN_ID } from '../chain/network.ts';
import { type ChainDeployment, exchangeRegistry, type RunningChain } from '../chain/run-chain.ts';
import { mongoUrl } from '../processes/mongo.ts';
import { natsUrl } from '../processes/nats.ts';
import { HOST } from '../processes/ports.ts';
import type { RunningProcess } from '../processes/running-process.ts';
import { type RunningWeb, startWeb } from '../web/web-server.ts';
import { allOrNothing } from './all-or-nothing.ts';
import { SERVICES, type ServiceName, type StackDescription } from './description.ts';
import { type RunningService, runService } from './running-service.ts';
import { prepareSecrets, type StackSecrets } from './secrets.ts';
import { serviceEnvironments } from './service-environment.ts';
import type { StackOptions } from './stack-options.ts';
import type { StackPorts } from './stack-ports.ts';
import { infrastructureStarts } from './start-infrastructure.ts';

/** One start: what to start, and who is told of each part, so that it can be stopped whatever happens next. */
export interface StartPlan {
  options: StackOptions;
  directory: string;
  ports: StackPorts;
  /** Filled with each service that is ready. */
  services: Map<ServiceName, RunningService>;
  onInfrastructure: (process: RunningProcess) => Promise<void>;
  onServiceProcess: (process: RunningProcess) => void;
  onWeb: (web: RunningWeb) => void;
}

/** Starts the servers, then the services, then the page. @returns what `stack.json` says */
export async function startParts(plan: StartPlan): Promise<StackDescription> {
  const { options, directory } = plan;
  const parts = options.parts ?? 'all';
  const secrets = await prepareSecrets(join(directory, 'secrets'));
  const chain = await startInfrastructure(plan);
  const stack = describe(plan.ports, secrets, chain);
  if (parts !== 'infrastructure') await startServices(plan, secrets, stack);
  if (parts === 'all') await startPage(plan, stack);
  return stack;
}

async function startInfrastructure(plan: StartPlan): Promise<{ rpcUrl: string; deployment: ChainDeployment }> {
  const began = Date.now();
  let chain: RunningChain | undefined;
  const onServer = async (part: string, process: RunningProcess): Promise<void> => {
    await plan.onInfrastructure(process);
    plan.options.onReady?.(part, Date.now() - began);
  };
  const starts = infrastructureStarts({ directory: plan.directory, ports: plan.ports, onServer }, (running) => {
    chain = running;
  });
  await allOrNothing(starts, plan.options.signal);
  if (!chain?.deployment) throw new Error('the chain was started without exchanges');
  return { rpcUrl: chain.rpcUrl, deployment: chain.deployment };
}

async function startServices(plan: StartPlan, secrets: StackSecrets, stack: StackDescription): Promise<void> {
  const { options, directory, ports } = plan;
  const exchangesFile = join(directory, 'exchanges.json');
  await writeFile(exchangesFile, JSON.stringify(exchangeRegistry(stack.contracts), null, 2));
  const { rpcUrl, treasury } = stack;
  const environments = serviceEnvironments({ ports, secrets, rpcUrl, exchangesFile, treasury });
  const began = Date.now();
  const starts = SERVICES.map((service) => async (signal: AbortSignal) => {
    const running = await runService(
      {
        service,
        environment: { ...environments[service], ...options.environment?.[service] },
        opsPort: ports[service],
        logFile: join(directory, 'logs', `${service}.log`),
        restartCrashed: options.restartCrashed ?? false,
        notify: options.notify ?? (() => undefined),
        onProcess: plan.onServiceProcess,
      },
      signal,
    );
    plan.services.set(service, running);
    options.onReady?.(service, Date.now() - began);
  });
  await allOrNothing(starts, options.signal);
}

async function startPage(plan: StartPlan, stack: StackDescription): Promise<void> {
  const began = Date.now();
  const configuration = clientConfigurationSchema.parse({
    apiBaseUrl: stack.apiUrl,
    apiKey: stack.apiKey,
    botWalletAddress: stack.treasury,
    chainId: stack.chainId,
    explorerUrl: '',
  });
  plan.onWeb(await startWeb({ configuration, watch: plan.options.watchWeb ?? false }, plan.ports.shell));
  plan.options.onReady?.('shell and remotes', Date.now() - began);
}

function describe(
  ports: StackPorts,
  secrets: StackSecrets,
  chain: { rpcUrl: string; deployment: ChainDeployment },
): StackDescription {
  const address = (port: number): string => `http://${HOST}:${port}`;
  return {
    shellUrl: address(ports.shell),
    apiUrl: address(ports.api),
    apiKey: secrets.apiKey,
    operatorApiKey: secrets.operatorApiKey,
    rpcUrl: chain.rpcUrl,
    chainId: CHAIN_ID,
    mongoUrl: mongoUrl(ports.mongo),
    natsUrl: natsUrl(ports.nats),
    ops: Object.fromEntries(SERVICES.map((service) => [service, address(ports[service])])) as StackDescription['ops'],
    treasury: demoAccount(ACCOUNT_INDEX.treasury).address,
    payer: demoAccount(ACCOUNT_INDEX.payer),
    tokens: chain.deployment.tokens,
    contracts: chain.deployment.contracts,
  };
}
