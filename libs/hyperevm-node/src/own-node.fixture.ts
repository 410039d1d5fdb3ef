import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { anvilArguments, demoAccount, findAnvil, freePort, localNetwork, waitUntil } from '@maker/local-stack';
import { createWalletClient, type Hex, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { controlNode, type NodeControl } from './control/control-node.ts';
import { type NodeOptions, type RunningNode, startHyperevmNode } from './server/start-node.ts';

/** Fees that are enough on a quiet chain. */
export const ENOUGH = { maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 0n, gas: 21_000n };

/** An anvil for one test, which mines only on request. */
export interface OwnExecution {
  url: string;
  stop(): Promise<void>;
}

/** Starts anvil with the node's arguments. */
export async function startExecution(): Promise<OwnExecution> {
  const port = await freePort();
  const args = [...anvilArguments({ host: '127.0.0.1', port }), '--silent'];
  const child = spawn(await findAnvil(), args, { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = `http://127.0.0.1:${port}`;
  await waitUntil(async () => (await rpc(url, 'eth_chainId')) !== undefined, { timeoutMs: 20_000, intervalMs: 20 });
  return {
    url,
    async stop() {
      child.kill('SIGTERM');
      await Promise.race([ended, delay(5000)]);
    },
  };
}

/** A node with its own anvil. */
export interface OwnNode extends RunningNode {
  control: NodeControl;
  executionUrl: string;
}

/** Starts a node that by default produces blocks only on the test's request. */
export async function startOwnNode(options: Partial<NodeOptions> = {}): Promise<OwnNode> {
  const execution = await startExecution();
  const node = await startHyperevmNode({ executionUrl: execution.url, blockMs: 0, ...options });
  return {
    ...node,
    control: controlNode(node.controlUrl),
    executionUrl: execution.url,
    async stop() {
      await node.stop();
      await execution.stop();
    },
  };
}

/** A JSON-RPC response, unchecked. */
export interface RawAnswer {
  id: unknown;
  result?: unknown;
  error?: { code: number; message: string };
}

/** Sends a body. @returns the response */
export async function post(url: string, body: unknown): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: text });
}

/** Sends one call. @returns the whole response */
export async function ask(url: string, method: string, ...params: unknown[]): Promise<RawAnswer> {
  return (await (await post(url, { jsonrpc: '2.0', id: 7, method, params })).json()) as RawAnswer;
}

/** Sends one call. @returns its result @throws Error with the node's error */
export async function rpc<T>(url: string, method: string, ...params: unknown[]): Promise<T> {
  const { result, error } = await ask(url, method, ...params);
  if (error) throw new Error(`${error.code} ${error.message}`);
  return result as T;
}

/** A wallet of one of the chain's rich accounts. */
export function walletOf(node: RunningNode, index: number) {
  const account = privateKeyToAccount(demoAccount(index).privateKey);
  const chain = localNetwork(node.rpcUrl);
  return createWalletClient({ account, chain, transport: http(node.rpcUrl, { retryCount: 0 }) }).extend(publicActions);
}

/** A signed transfer, by default of one wei to an unused address. */
export async function signedTransfer(
  node: RunningNode,
  index: number,
  transaction: { nonce: number } & Partial<{
    to: Hex;
    value: bigint;
    gas: bigint;
    maxFeePerGas: bigint;
    maxPriorityFeePerGas: bigint;
  }>,
): Promise<Hex> {
  return walletOf(node, index).signTransaction({ to: unused(1), value: 1n, ...ENOUGH, ...transaction });
}

/** An address without transactions or balance. */
export function unused(number: number): Hex {
  return `0x${(0xbeef_0000 + number).toString(16).padStart(40, '0')}`;
}
