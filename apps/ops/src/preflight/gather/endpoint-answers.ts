import { BalanceReader, RPC_METHODS, type RpcCall, type RpcMethodName } from '@maker/chain';
import { type Address, encodeFunctionData, type Hex, numberToHex, parseAbi, zeroAddress, zeroHash } from 'viem';
import { type Answer, type AskEndpoint, resultOf, wordsOf } from '../request/answer.ts';

/** The checked fields of a block in an endpoint's answer. */
export interface ShownBlock {
  readonly number: Hex;
  readonly hash: Hex;
  readonly timestamp: Hex;
  readonly gasLimit: Hex;
  readonly baseFeePerGas: Hex;
  readonly transactions: readonly (Hex | ShownTransaction)[];
}

export interface ShownTransaction {
  readonly hash: Hex;
  readonly from: Address;
  readonly gasPrice?: Hex;
}

/** Number of addresses that one poll can read, or the reason why it cannot. */
export type PollAnswer = { readonly addressesPerCall: number } | { readonly refusal: string };

/** All answers of one endpoint of the right chain. */
export interface EndpointAnswers {
  readonly latest: Answer;
  /** One call of each method that the product uses. */
  readonly methods: ReadonlyMap<RpcMethodName, Answer>;
  readonly aboveHead: Answer;
  /** Blocks a day and an hour before the head, or the first of a younger chain. */
  readonly dayAgo: Answer;
  readonly hourAgo: Answer;
  /** The gas limit of a call, returned by a program that executes GAS. */
  readonly callGas: Answer;
  /** The number of the block whose state a call reads, returned by Multicall3. */
  readonly callBlock: Answer;
  readonly poll: PollAnswer;
  /** A block with its transactions and receipts; one with transactions if there is one among the last few. */
  readonly full: Answer;
  readonly receipts: Answer;
  /** Headers around the full minute, when a big block is mined. */
  readonly headers: readonly Answer[];
}

const DAY_BLOCKS = 86_400;
const HOUR_BLOCKS = 3600;

/** Distance of a block that no endpoint can have yet. */
const ABOVE_HEAD_BLOCKS = 10_000;

/** Number of blocks to search for one with transactions. */
const FULL_TRIES = 4;
const MINUTE_SECONDS = 60;
const HEADERS = 4;

/** Bytecode that returns the result of GAS. */
const GAS_PROGRAM: Hex = '0x5a5f5260205ff3';

const blockNumberCall = encodeFunctionData({
  abi: parseAbi(['function getBlockNumber() view returns (uint256)']),
  functionName: 'getBlockNumber',
});

/** Invalid bytes: an endpoint that accepts transactions refuses them, and they can never be executed. */
const NO_TRANSACTION: Hex = '0x00';

/** The block in an answer; undefined if there is none. */
export function blockIn(answer: Answer): ShownBlock | undefined {
  return 'result' in answer ? ((answer.result as ShownBlock | null) ?? undefined) : undefined;
}

/** Collects all answers of one endpoint with about thirty requests. */
export async function gatherEndpoint(ask: AskEndpoint, multicall3: Address): Promise<EndpointAnswers> {
  const header = (height: number) => ask('eth_getBlockByNumber', [numberToHex(Math.max(height, 1)), false]);
  const latest = await ask('eth_getBlockByNumber', ['latest', false]);
  const head = blockIn(latest);
  const height = Number(head?.number ?? 0);
  const full = await fullBlock(ask, height);
  const methods = new Map<RpcMethodName, Answer>([['eth_getBlockByNumber', latest]]);
  for (const { method } of RPC_METHODS) {
    if (method === 'eth_getBlockByNumber') continue;
    methods.set(method, await ask(method, sampleParameters(method, multicall3, head, blockIn(full))));
  }
  return {
    latest,
    methods,
    aboveHead: await header(height + ABOVE_HEAD_BLOCKS),
    dayAgo: await header(height - DAY_BLOCKS),
    hourAgo: await header(height - HOUR_BLOCKS),
    callGas: await ask('eth_call', [{ data: GAS_PROGRAM }, 'latest']),
    callBlock: methods.get('eth_call') as Answer,
    poll: await pollSize(ask, multicall3),
    full,
    receipts: methods.get('eth_getBlockReceipts') as Answer,
    headers: head ? await headersOfMinute(header, head) : [],
  };
}

/** Returns parameters that every endpoint answers quickly and that change nothing. */
function sampleParameters(
  method: RpcMethodName,
  multicall3: Address,
  head: ShownBlock | undefined,
  full: ShownBlock | undefined,
): readonly unknown[] {
  const height = full?.number ?? head?.number ?? '0x1';
  const samples: Readonly<Record<string, readonly unknown[]>> = {
    eth_chainId: [],
    eth_blockNumber: [],
    eth_getBlockByHash: [head?.hash ?? zeroHash, false],
    eth_call: [{ to: multicall3, data: blockNumberCall }, 'latest'],
    eth_getCode: [multicall3, 'latest'],
    eth_estimateGas: [{ from: zeroAddress, to: zeroAddress, value: '0x0' }],
    eth_feeHistory: ['0x2', head?.number ?? 'latest', [50]],
    eth_getTransactionByHash: [zeroHash],
    eth_getTransactionReceipt: [zeroHash],
    eth_getBlockReceipts: [height],
    eth_getSystemTxsByBlockNumber: [height],
    eth_sendRawTransaction: [NO_TRANSACTION],
    eth_getBalance: [zeroAddress, 'latest'],
    eth_getTransactionCount: [zeroAddress, 'latest'],
  };
  const parameters = samples[method];
  if (!parameters) throw new TypeError(`preflight has no question for ${method}`);
  return parameters;
}

async function fullBlock(ask: AskEndpoint, height: number): Promise<Answer> {
  let first: Answer | undefined;
  for (let below = 0; below < FULL_TRIES; below += 1) {
    const answer = await ask('eth_getBlockByNumber', [numberToHex(Math.max(height - below, 0)), true]);
    if (blockIn(answer)?.transactions.length) return answer;
    first ??= answer;
  }
  return first as Answer;
}

async function pollSize(ask: AskEndpoint, multicall3: Address): Promise<PollAnswer> {
  let last: Answer | undefined;
  const request = async ({ method, params }: Required<RpcCall>) => {
    last = await ask(method, params);
    return resultOf(last);
  };
  try {
    return { addressesPerCall: await new BalanceReader(request, { multicall3, now: () => 0 }).probe() };
  } catch (error) {
    return {
      refusal: last && !('result' in last) ? wordsOf(last) : String(error instanceof Error ? error.message : error),
    };
  }
}

/** Reads headers from the first block of the head's minute on. It estimates one block a second, then corrects by a timestamp. */
async function headersOfMinute(
  header: (height: number) => Promise<Answer>,
  head: ShownBlock,
): Promise<readonly Answer[]> {
  const seconds = Number(head.timestamp);
  const minute = seconds - (seconds % MINUTE_SECONDS);
  const near = Number(head.number) - (seconds - minute);
  const nearSeconds = Number(blockIn(await header(near))?.timestamp ?? minute);
  const first = near - (nearSeconds - minute);
  return Promise.all(
    Array.from({ length: HEADERS }, (_, index) => header(Math.min(first + index - 1, Number(head.number)))),
  );
}
