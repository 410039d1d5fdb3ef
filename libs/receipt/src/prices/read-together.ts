import { multicall3Abi, type Query } from '@maker/chain/venues';
import { decodeFunctionResult, encodeFunctionData, type Hex, type PublicClient } from 'viem';

/** Values and the block of their state. */
export interface ReadTogether<Value> {
  readonly values: readonly Value[];
  /** The earliest block, if the reads needed several requests. */
  readonly blockNumber: number;
}

/** Source: hyperevm § 1. */
const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11';

/** Reads in one request: endpoints limit the gas of a call. */
const CALLS_TOGETHER = 300;

/** Reads the newest state of several contracts, with as few requests as possible. @throws the client's error */
export async function readTogether<Value>(
  client: Pick<PublicClient, 'call'>,
  reads: readonly Query<Value>[],
  onRequest: () => void,
): Promise<ReadTogether<Value>> {
  const calls = reads.flatMap((one) => one.calls);
  const returned: (Hex | undefined)[] = [];
  let blockNumber = Number.POSITIVE_INFINITY;
  for (let start = 0; start === 0 || start < calls.length; start += CALLS_TOGETHER) {
    onRequest();
    const answer = await aggregate(client, calls.slice(start, start + CALLS_TOGETHER));
    blockNumber = Math.min(blockNumber, answer.blockNumber);
    returned.push(...answer.returned);
  }
  const values = reads.map((one) => one.decode(returned.splice(0, one.calls.length)));
  return { values, blockNumber };
}

async function aggregate(client: Pick<PublicClient, 'call'>, calls: Query<unknown>['calls']) {
  const height = {
    to: MULTICALL3,
    data: encodeFunctionData({ abi: multicall3Abi, functionName: 'getBlockNumber' }),
  } as const;
  const args = [height, ...calls].map(({ to, data }) => ({ target: to, allowFailure: true, callData: data }));
  const data = encodeFunctionData({ abi: multicall3Abi, functionName: 'aggregate3', args: [args] });
  const { data: answer = '0x' } = await client.call({ to: MULTICALL3, data });
  const [first, ...results] = decodeFunctionResult({ abi: multicall3Abi, functionName: 'aggregate3', data: answer });
  return {
    blockNumber: Number(BigInt(first?.returnData ?? '0x0')),
    returned: results.map(({ success, returnData }) => (success ? returnData : undefined)),
  };
}
