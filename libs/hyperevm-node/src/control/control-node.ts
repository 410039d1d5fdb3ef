import type { Hex } from 'viem';
import type { BlockKind } from '../rules/block-schedule.ts';
import type { ErrorObject } from '../rules/rpc-error.ts';
import { readSwitches, type Switches, type Traffic } from '../rules/switches.ts';

/** A change of switches: those that are named, and of other people's traffic the kinds that are named. */
export type SwitchChange = Partial<Omit<Switches, 'otherTraffic'>> & {
  otherTraffic?: { small?: Traffic | null; big?: Traffic | null };
};

/** A transaction that waits for a block. */
export interface Waiting {
  hash: Hex;
  sender: Hex;
  nonce: number;
  kind: BlockKind;
  raw: Hex;
}

/** What only a test may order of the node. Everything that anvil understands goes to the same address: `request`. */
export interface NodeControl {
  /** Any command by name, anvil's own among them. @throws Error with the node's message */
  request<T>(method: string, ...params: readonly unknown[]): Promise<T>;
  switches(): Promise<Switches>;
  /** @returns all switches after the change */
  setSwitches(change: SwitchChange): Promise<Switches>;
  /** Makes small blocks now, and the big ones that fall due between them. */
  mine(blocks?: number): Promise<void>;
  mineBigBlock(): Promise<void>;
  /** Milliseconds between small blocks; 0 makes none unless told. */
  setBlockInterval(milliseconds: number): Promise<void>;
  /** Moves the chain's clock on, from the next block. */
  increaseTime(seconds: number): Promise<void>;
  /** The next block of the kind asks this base fee, wei; from there it moves by itself. */
  setBaseFee(kind: BlockKind, wei: bigint): Promise<void>;
  /** What HyperCore's `evmUserModify` does. */
  setUsingBigBlocks(address: Hex, using: boolean): Promise<void>;
  /** What waits for a block, in the order of its coming. */
  waiting(): Promise<Waiting[]>;
  /** Takes blocks back and makes as many new ones; what was in them is gone, as if it had never been sent. */
  reorganise(depth: number): Promise<void>;
  /** HyperCore: HYPE of an address. */
  core: {
    /** HYPE from nowhere, wei. */
    credit(address: Hex, wei: bigint): Promise<void>;
    /** Sends HYPE on HyperCore; to the system address it goes to the sender on HyperEVM, with the next block. */
    send(from: Hex, to: Hex, wei: bigint): Promise<void>;
    /** wei */
    balanceWei(address: Hex): Promise<bigint>;
  };
}

/** Speaks to the node's control address. */
export function controlNode(controlUrl: string): NodeControl {
  async function request<T>(method: string, ...params: readonly unknown[]): Promise<T> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }, (_, value) =>
      typeof value === 'bigint' ? value.toString() : value,
    );
    const response = await fetch(controlUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const answer = (await response.json()) as { result: T; error?: ErrorObject };
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  }
  return {
    request,
    switches: async () => readSwitches(await request('node_switches')),
    setSwitches: async (change) => readSwitches(await request('node_setSwitches', change)),
    mine: (blocks = 1) => request('anvil_mine', blocks),
    mineBigBlock: () => request('node_mineBigBlock'),
    setBlockInterval: (milliseconds) => request('node_setBlockInterval', milliseconds),
    increaseTime: async (seconds) => {
      await request('evm_increaseTime', seconds);
    },
    setBaseFee: (kind, wei) => request('node_setBaseFee', kind, wei),
    setUsingBigBlocks: (address, using) => request('node_setUsingBigBlocks', address, using),
    waiting: () => request('node_waiting'),
    reorganise: (depth) => request('anvil_reorg', depth, []),
    core: {
      credit: (address, wei) => request('core_credit', address, wei),
      send: (from, to, wei) => request('core_send', from, to, wei),
      balanceWei: async (address) => BigInt(await request<Hex>('core_balance', address)),
    },
  };
}
