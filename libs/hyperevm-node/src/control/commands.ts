import { type Hex, isHex, numberToHex } from 'viem';
import { z } from 'zod';
import type { BlockClock } from '../chain/block-clock.ts';
import type { BlockProducer } from '../chain/block-producer.ts';
import { readAddress } from '../public/routes.ts';
import { submit } from '../public/transaction-routes.ts';
import type { Sources } from '../public/view.ts';
import type { BlockKind } from '../rules/block-schedule.ts';
import { invalidParameters, METHOD_NOT_FOUND, RpcError } from '../rules/json-rpc.ts';
import { changedSwitches, type Switches } from '../rules/switches.ts';

export interface Controlled {
  sources: Sources;
  producer: BlockProducer;
  clock: BlockClock;
  setSwitches: (switches: Switches) => void;
}

type Command = (node: Controlled, params: readonly unknown[]) => unknown;

const MS = 1000;

/** Commands of viem's test client and of anvil that the node implements itself, because it produces the blocks. */
const OF_ANVIL: Readonly<Record<string, Command>> = {
  evm_mine: mineOne,
  anvil_mine: (node, [blocks, secondsBetween]) => mine(node, amount(blocks ?? 1), amount(secondsBetween ?? 0)),
  evm_setNextBlockTimestamp: ({ producer }, [seconds]) => producer.setNextTimestamp(amount(seconds)),
  evm_increaseTime: ({ producer }, [seconds]) => {
    producer.secondsAhead += amount(seconds);
    return producer.secondsAhead;
  },
  evm_setIntervalMining: ({ clock }, [seconds]) => {
    clock.intervalMs = amount(seconds) * MS;
  },
  anvil_setNextBlockBaseFeePerGas: (node, [wei]) => setBaseFee(node, 'small', weiOf(wei)),
  anvil_rollback: ({ sources, producer }, [depth]) => producer.exclusively(() => rollback(sources, amount(depth ?? 1))),
  anvil_reorg: (node, [depth, transactions]) => reorganise(node, amount(depth), transactions),
  evm_revert: ({ sources, producer }, [id]) => producer.exclusively(() => revert(sources, id)),
  evm_snapshot: ({ sources, producer }) => producer.exclusively(() => sources.execution.ask('evm_snapshot')),
  anvil_dropTransaction: ({ sources }, [hash]) => (sources.mempool.drop(hash as Hex) ? hash : null),
  anvil_dropAllTransactions: ({ sources }) => sources.mempool.clear(),
  eth_sendRawTransaction: ({ sources }, [raw]) => sources.gate.pass(() => submit(sources, raw)),
};

/** Methods that set state. They run between blocks: during one, the change would belong to no block and the head would not show it. */
const SETTINGS = ['anvil_setBalance', 'anvil_setCode', 'anvil_setNonce', 'anvil_setStorageAt'];

const OF_STATE: Readonly<Record<string, Command>> = Object.fromEntries(
  SETTINGS.map((method): [string, Command] => [
    method,
    ({ sources, producer }, params) => producer.exclusively(() => sources.execution.ask(method, ...params)),
  ]),
);

const OF_NODE: Readonly<Record<string, Command>> = {
  node_switches: ({ sources }) => sources.switches(),
  node_setSwitches: (node, [change]) => {
    node.setSwitches(changedSwitches(node.sources.switches(), change));
    return node.sources.switches();
  },
  node_setBlockInterval: ({ clock }, [milliseconds]) => {
    clock.intervalMs = amount(milliseconds);
  },
  node_mineBigBlock: ({ producer }) => producer.bigBlock(),
  node_setBaseFee: (node, [kind, wei]) => setBaseFee(node, kindOf(kind), weiOf(wei)),
  node_setUsingBigBlocks: ({ sources }, [address, using]) => {
    if (using === true) sources.bigBlockUsers.add(readAddress(address));
    else sources.bigBlockUsers.delete(readAddress(address));
  },
  node_waiting: ({ sources }) =>
    sources.mempool.all().map(({ hash, sender, nonce, kind, raw }) => ({ hash, sender, nonce, kind, raw })),
  core_credit: ({ sources }, [address, wei]) => sources.core.credit(readAddress(address), weiOf(wei)),
  core_send: ({ sources }, [from, to, wei]) => sources.core.send(readAddress(from), readAddress(to), weiOf(wei)),
  core_balance: ({ sources }, [address]) => numberToHex(sources.core.balanceWei(readAddress(address))),
};

/** Methods of anvil that the node rejects, because it produces the blocks. */
const REFUSED = [
  'evm_setAutomine',
  'anvil_setAutomine',
  'evm_setBlockGasLimit',
  'anvil_setBlockGasLimit',
  'anvil_reset',
  'evm_setTime',
  'anvil_setTime',
];

const COMMANDS: Readonly<Record<string, Command>> = { ...OF_ANVIL, ...OF_STATE, ...OF_NODE };

/** The command of this name, or undefined for a method that anvil answers. @throws RpcError for a rejected method */
export function commandOf(method: string): Command | undefined {
  const name = method.replace(/^hardhat_/, 'anvil_');
  if (REFUSED.includes(name))
    throw new RpcError(METHOD_NOT_FOUND, `${method} is not available: this node produces the blocks`);
  const other = name.startsWith('anvil_') ? name.replace('anvil_', 'evm_') : name.replace('evm_', 'anvil_');
  return COMMANDS[name] ?? COMMANDS[other];
}

async function mineOne(node: Controlled, [options]: readonly unknown[]): Promise<string> {
  const { timestamp, blocks } = (typeof options === 'object' ? (options ?? {}) : { timestamp: options }) as {
    timestamp?: unknown;
    blocks?: unknown;
  };
  if (timestamp !== undefined) node.producer.setNextTimestamp(amount(timestamp));
  await mine(node, amount(blocks ?? 1), 0);
  return '0x0';
}

async function mine({ producer, sources }: Controlled, blocks: number, secondsBetween: number): Promise<void> {
  for (let made = 0; made < blocks; made++) {
    if (made > 0 && secondsBetween > 0) producer.setNextTimestamp(sources.state.head.timestamp + secondsBetween);
    await producer.round();
  }
}

/** Between blocks: the end of a block computes the next fee, and would replace one that was set during the block. */
function setBaseFee({ producer, sources }: Controlled, kind: BlockKind, wei: bigint): Promise<void> {
  return producer.exclusively(async () => sources.state.setNextBaseFee(kind, wei));
}

async function rollback(sources: Sources, depth: number): Promise<void> {
  await sources.state.forgetAbove(sources.state.head.number - depth);
  await sources.execution.ask('anvil_rollback', depth);
}

/** Replaces the newest `depth` blocks by as many later ones with transactions of the mempool. Those of the old blocks are lost. */
async function reorganise({ sources, producer }: Controlled, depth: number, transactions: unknown): Promise<void> {
  if (Array.isArray(transactions) && transactions.length > 0) {
    throw invalidParameters('a reorganisation takes no transactions: send them to the node instead');
  }
  await producer.exclusively(async () => {
    const { number, timestamp } = sources.state.head;
    await rollback(sources, depth);
    // A later timestamp: an empty block with the same one would have the same hash.
    producer.setNextTimestamp(timestamp + 1);
    while (sources.state.head.number < number) await producer.roundNow();
  });
}

async function revert(sources: Sources, id: unknown): Promise<unknown> {
  const reverted = await sources.execution.ask('evm_revert', id);
  await sources.state.readAnew();
  return reverted;
}

function amount(value: unknown): number {
  const number = isHex(value) ? Number(value) : z.coerce.number().safeParse(value).data;
  if (number === undefined || !(number >= 0))
    throw invalidParameters(`a number is expected, got ${JSON.stringify(value)}`);
  return number;
}

function weiOf(value: unknown): bigint {
  if (isHex(value) || (typeof value === 'string' && /^\d+$/.test(value))) return BigInt(value);
  if (typeof value === 'number' && Number.isSafeInteger(value)) return BigInt(value);
  throw invalidParameters(`wei are expected in hex or as decimal digits, got ${JSON.stringify(value)}`);
}

function kindOf(value: unknown): BlockKind {
  if (value === 'small' || value === 'big') return value;
  throw invalidParameters(`'small' or 'big' is expected, got ${JSON.stringify(value)}`);
}
