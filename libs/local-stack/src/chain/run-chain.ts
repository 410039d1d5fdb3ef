import { readFile, writeFile } from 'node:fs/promises';
import { type Address, getAddress, type TestClient } from 'viem';
import { ACCOUNT_INDEX, demoAccount } from './accounts.ts';
import { BLOCK_GAS_LIMIT, chainTestClient, rpcUrl, runAnvil } from './anvil.ts';
import { ownArtifacts } from './artifacts.ts';
import { type DemoTokens, deployTokens } from './deploy-tokens.ts';
import { startBatch } from './deployment-batch.ts';
import { type ChainContracts, deployVenues, VENUES } from './venues/venues.ts';

/** The address that viem and other clients expect. */
const MULTICALL3: Address = getAddress('0xca11bde05977b3631167028862be2a173976ca11');
const BLOCK_SECONDS = 1;

/** Contracts and demo tokens of a local chain. */
export interface ChainDeployment {
  contracts: ChainContracts;
  tokens: DemoTokens;
}

/** Deploys exchanges, demo tokens and their pools on a chain that does not mine on its own yet. */
export async function deployDemoContracts(client: TestClient): Promise<ChainDeployment> {
  const deployer = demoAccount(ACCOUNT_INDEX.deployer).address;
  const own = await ownArtifacts();
  await client.setCode({ address: MULTICALL3, bytecode: own.Multicall3.deployedBytecode });
  const batch = await startBatch(client, deployer, BLOCK_GAS_LIMIT);
  const contracts = await deployVenues({ batch, deployer, own });
  const tokens = await deployTokens({ batch, deployer, own }, contracts);
  await batch.mine();
  return { contracts: { ...contracts, multicall3: MULTICALL3 }, tokens };
}

export interface ChainPlace {
  port: number;
  logFile: string;
  exchanges: boolean;
  /** Seconds between blocks, default 1; 0 mines on request only. */
  blockSeconds?: number;
  /** Keep the state in this folder over restarts. */
  stateDirectory?: string | undefined;
}

/** Starts the local chain, deploys missing contracts if it has exchanges, and starts its mining. */
export async function runChain(place: ChainPlace, signal?: AbortSignal) {
  const kept = place.stateDirectory ? `${place.stateDirectory}/deployment.json` : undefined;
  const stateFile = place.stateDirectory ? `${place.stateDirectory}/state.json` : undefined;
  const anvil = await runAnvil({ port: place.port, logFile: place.logFile, stateFile }, signal);
  const url = rpcUrl(place.port);
  try {
    const client = chainTestClient(url);
    let deployment: ChainDeployment | undefined;
    if (place.exchanges) {
      const earlier = kept ? await readFile(kept, 'utf8').catch(() => undefined) : undefined;
      const found = earlier ? (JSON.parse(earlier) as ChainDeployment) : undefined;
      deployment = found && (await isDeployed(client, found)) ? found : await deployDemoContracts(client);
      if (kept) await writeFile(kept, JSON.stringify(deployment, null, 2));
    }
    const interval = place.blockSeconds ?? BLOCK_SECONDS;
    if (interval > 0) await client.setIntervalMining({ interval });
    return { anvil, rpcUrl: url, deployment };
  } catch (error) {
    await anvil.stop();
    throw error;
  }
}

/** Whether the chain's kept state contains the deployment: anvil writes its state on a clean stop only. */
async function isDeployed(client: TestClient, { contracts }: ChainDeployment): Promise<boolean> {
  // A deployment that was kept by an earlier version has fewer contracts.
  const last: Address | undefined = contracts[(VENUES.at(-1) ?? VENUES[0]).router];
  if (!last) return false;
  return (await client.request({ method: 'eth_getCode', params: [last, 'latest'] } as never)) !== '0x';
}
