import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { EXECUTION_ARGUMENTS } from '@maker/hyperevm-node';
import { createTestClient, http, type TestClient } from 'viem';
import { findAnvil } from '../binaries/anvil.ts';
import { HOST } from '../processes/ports.ts';
import {
  baseEnvironment,
  type ProcessSpecification,
  type RunningProcess,
  startProcess,
} from '../processes/running-process.ts';
import { CHAIN_MNEMONIC } from './accounts.ts';
import { CHAIN_ID, localNetwork } from './network.ts';

/** Gas limit of a local block. */
export const BLOCK_GAS_LIMIT = 30_000_000n;
/** 0.1 gwei, the base fee observed on HyperEVM. */
const BASE_FEE_WEI = 100_000_000;
const BALANCE_HYPE = 1_000_000;
/** Kept states, in blocks: more than any reorganisation reverts. Without a limit anvil writes older ones to the user's home. */
const STATES_KEPT = 512;

/** Address of the local chain's JSON-RPC. */
export function rpcUrl(port: number): string {
  return `http://${HOST}:${port}`;
}

/** A client for anvil's own commands (mine, set balances, move time). */
export function chainTestClient(url: string): TestClient {
  return createTestClient({ chain: localNetwork(url), mode: 'anvil', transport: http(url, { timeout: 20_000 }) });
}

/** Arguments of the anvil that executes: its accounts, fees and block size. It mines no block on its own. */
export function anvilArguments(place: { host: string; port: number }): string[] {
  return [
    ...['--host', place.host, '--port', String(place.port), '--chain-id', String(CHAIN_ID), '--hardfork', 'cancun'],
    ...['--mnemonic', CHAIN_MNEMONIC, '--accounts', '10', '--balance', String(BALANCE_HYPE)],
    ...['--base-fee', String(BASE_FEE_WEI), '--gas-limit', String(BLOCK_GAS_LIMIT)],
    ...['--prune-history', String(STATES_KEPT)],
    // No --disable-min-priority-fee: with it anvil fills in a fee cap below the tip that it still suggests, and wallets
    // that use both cannot send. Anvil accepts a tip of zero either way.
    ...[...EXECUTION_ARGUMENTS, '--color', 'never'],
  ];
}

/** Starts anvil, which mines nothing yet. @param stateFile anvil keeps its state there over restarts */
export async function runAnvil(
  place: { port: number; logFile: string; stateFile?: string | undefined },
  signal?: AbortSignal,
): Promise<RunningProcess> {
  const command = await findAnvil();
  if (place.stateFile) await mkdir(dirname(place.stateFile), { recursive: true });
  const args = [
    ...anvilArguments({ host: HOST, port: place.port }),
    ...(place.stateFile ? ['--state', place.stateFile] : []),
  ];
  return startRpcServer({ name: 'anvil', command, args }, place, signal);
}

/** Starts a JSON-RPC server and waits until it answers for our chain. */
export function startRpcServer(
  program: Pick<ProcessSpecification, 'name' | 'command' | 'args'>,
  { port, logFile }: { port: number; logFile: string },
  signal?: AbortSignal,
): Promise<RunningProcess> {
  const client = chainTestClient(rpcUrl(port));
  return startProcess(
    {
      ...program,
      environment: baseEnvironment(),
      logFile,
      isReady: async () => (await client.request({ method: 'eth_chainId' } as never)) === `0x${CHAIN_ID.toString(16)}`,
      readyTimeoutMs: 20_000,
      stopGraceMs: 10_000,
    },
    signal,
  );
}
