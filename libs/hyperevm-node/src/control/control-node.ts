import type { Hex } from 'viem';
import type { BlockKind } from '../rules/block-schedule.ts';
import type { ErrorObject } from '../rules/json-rpc.ts';
import type { WaitingTransaction } from '../rules/mempool.ts';
import { readSwitches, type Switches, type Traffic } from '../rules/switches.ts';

/** A change of switches: those that are named, and of other people's traffic the kinds that are named. */
export type SwitchChange = Partial<Omit<Switches, 'otherTraffic'>> & {
  otherTraffic?: { small?: Traffic | null; big?: Traffic | null };
};

/** A transaction that waits for a block. */
export type Waiting = Pick<WaitingTransaction, 'hash' | 'sender' | 'nonce' | 'kind' | 'raw'>;

/** Speaks to the node's control address. */
export function controlNode(controlUrl: string) {
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
    /** Any command by name, anvil's own among them. @throws Error with the node's message */
    request,
    switches: async () => readSwitches(await request('node_switches')),
    /** @returns all switches after the change */
    setSwitches: async (change: SwitchChange) => readSwitches(await request('node_setSwitches', change)),
    /** Makes small blocks now, and the big ones that fall due between them. */
    mine: (blocks = 1) => request<void>('anvil_mine', blocks),
    mineBigBlock: () => request<void>('node_mineBigBlock'),
    /** Milliseconds between small blocks; 0 makes none unless told. */
    setBlockInterval: (milliseconds: number) => request<void>('node_setBlockInterval', milliseconds),
    /** Moves the chain's clock on, from the next block. */
    increaseTime: (seconds: number) => request<void>('evm_increaseTime', seconds),
    /** The next block of the kind asks this base fee, wei; from there it moves by itself. */
    setBaseFee: (kind: BlockKind, wei: bigint) => request<void>('node_setBaseFee', kind, wei),
    /** What HyperCore's `evmUserModify` does. */
    setUsingBigBlocks: (address: Hex, using: boolean) => request<void>('node_setUsingBigBlocks', address, using),
    /** What waits for a block, in the order of its coming. */
    waiting: () => request<Waiting[]>('node_waiting'),
    /** Takes blocks back and makes as many new ones; what was in them is gone, as if it had never been sent. */
    reorganise: (depth: number) => request<void>('anvil_reorg', depth, []),
    /** HyperCore: HYPE of an address. */
    core: {
      /** HYPE from nowhere, wei. */
      credit: (address: Hex, wei: bigint) => request<void>('core_credit', address, wei),
      /** Sends HYPE on HyperCore; to the system address it goes to the sender on HyperEVM, with the next block. */
      send: (from: Hex, to: Hex, wei: bigint) => request<void>('core_send', from, to, wei),
      /** wei */
      balanceWei: async (address: Hex) => BigInt(await request<Hex>('core_balance', address)),
    },
  };
}

/** What only a test may order of the node. Everything that anvil understands goes to the same address: `request`. */
export type NodeControl = ReturnType<typeof controlNode>;
