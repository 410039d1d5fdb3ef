import { randomBytes } from 'node:crypto';
import { BalanceReader, type RpcRequest } from '@maker/chain';
import { localNetwork, type StackDescription } from '@maker/local-stack';
import { type Address, createPublicClient, custom, parseAbi } from 'viem';
import { type Figure, median } from './figure.ts';

const ADDRESSES = 10_000;
/** Addresses per Multicall3 call: its gas limits more. */
const AT_ONCE = 1000;
/** Size of a call by viem's count. */
const BYTES_OF_A_CALL = 36;
const MULTICALL3 = parseAbi(['function getEthBalance(address owner) view returns (uint256)']);
const PEER = 'Multicall3 `getEthBalance` by viem, 1,000 a call';

interface Cost {
  readonly ms: number;
  readonly bytes: number;
}

/** Reads the balances of many empty addresses, by the product's reader and by Multicall3 in turns. */
export async function compareBalanceReaders(
  { rpcUrl, contracts: { multicall3 } }: StackDescription,
  rounds: number,
): Promise<Figure[]> {
  const addresses = Array.from({ length: ADDRESSES }, (): Address => `0x${randomBytes(20).toString('hex')}`);
  let bytes = 0;
  const request: RpcRequest = async ({ method, params }) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const text = await response.text();
    bytes += body.length + text.length;
    const { result, error } = JSON.parse(text) as { result: unknown; error?: { message: string } };
    if (error) throw new Error(error.message);
    return result;
  };
  const viem = createPublicClient({
    chain: localNetwork(rpcUrl),
    transport: custom({ request } as never, { retryCount: 0 }),
  });
  const contracts = addresses.map(
    (owner) => ({ address: multicall3, abi: MULTICALL3, functionName: 'getEthBalance', args: [owner] }) as const,
  );
  const cost = async (read: () => Promise<unknown>): Promise<Cost> => {
    bytes = 0;
    const began = performance.now();
    await read();
    return { ms: performance.now() - began, bytes };
  };
  const reader = new BalanceReader(request);
  const byOurs = () => cost(() => reader.read(addresses));
  const byMulticall3 = () =>
    cost(() =>
      viem.multicall({
        contracts,
        allowFailure: false,
        batchSize: AT_ONCE * BYTES_OF_A_CALL,
        multicallAddress: multicall3,
      }),
    );
  await byOurs();
  await byMulticall3();
  const pairs: [Cost, Cost][] = [];
  for (let round = 0; round < rounds; round += 1) pairs.push([await byOurs(), await byMulticall3()]);
  const row = (name: string, pick: (cost: Cost) => number, atMost: number, unit: string): Figure => ({
    name: `balances of ${ADDRESSES} addresses: ${name}`,
    peer: PEER,
    ratios: pairs.map(([own, other]) => pick(own) / pick(other)),
    mustReach: { atMost },
    behind: `${Math.round(median(pairs.map(([own]) => pick(own))))} of ${Math.round(median(pairs.map(([, other]) => pick(other))))} ${unit}`,
  });
  return [row('time', ({ ms }) => ms, 1 / 40, 'ms'), row('bytes', (one) => one.bytes / 1024, 1 / 15, 'KiB')];
}
