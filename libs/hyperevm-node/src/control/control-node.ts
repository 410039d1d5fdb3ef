import type { Hex } from 'viem';
import type { BlockKind } from '../rules/block-schedule.ts';
import type { ErrorObject } from '../rules/json-rpc.ts';
import type { WaitingTransaction } from '../rules/mempool.ts';
import { readSwitches, type Switches, type Traffic } from '../rules/switches.ts';

/** A change of switches: contains only the switches to change, and of other users' traffic only the block kinds to change. */
export type SwitchChange = Partial<Omit<Switches, 'otherTraffic'>> & {
  otherTraffic?: { small?: Traffic | null; big?: Traffic | null };
};

/** A transaction in the mempool. */
export type Waiting = Pick<WaitingTransaction, 'hash' | 'sender' | 'nonce' | 'kind' | 'raw'>;

/** A client of the node's control address. */
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
    /** Sends any command by name, including anvil's own. @throws Error with the node's message */
    request,
    switches: async () => readSwitches(await request('node_switches')),
    /** @returns all switches after the change */
    setSwitches: async (change: SwitchChange) => readSwitches(await request('node_setSwitches', change)),
    /** Produces small blocks now, and the big ones that become due. */
    mine: (blocks = 1) => request<void>('anvil_mine', blocks),
    mineBigBlock: () => request<void>('node_mineBigBlock'),
    /** Sets the milliseconds between small blocks; 0 produces them on demand only. */
    setBlockInterval: (milliseconds: number) => request<void>('node_setBlockInterval', milliseconds),
    /** Advances the chain's clock, from the next block. */
    increaseTime: (seconds: number) => request<void>('evm_increaseTime', seconds),
    /** Sets the base fee, wei, of the next block of this kind; then the fee follows its rule again. */
    setBaseFee: (kind: BlockKind, wei: bigint) => request<void>('node_setBaseFee', kind, wei),
    /** Does the same as HyperCore's `evmUserModify`. */
    setUsingBigBlocks: (address: Hex, using: boolean) => request<void>('node_setUsingBigBlocks', address, using),
    /** The transactions in the mempool, in the order of arrival. */
    waiting: () => request<Waiting[]>('node_waiting'),
    /** Replaces the newest blocks by as many new ones. The old blocks' transactions are lost, as if never sent. */
    reorganise: (depth: number) => request<void>('anvil_reorg', depth, []),
    /** HYPE of addresses on HyperCore. */
    core: {
      /** Creates HYPE, wei. */
      credit: (address: Hex, wei: bigint) => request<void>('core_credit', address, wei),
      /** Sends HYPE on HyperCore. HYPE to the system address arrives at the sender on HyperEVM with the next block. */
      send: (from: Hex, to: Hex, wei: bigint) => request<void>('core_send', from, to, wei),
      /** wei */
      balanceWei: async (address: Hex) => BigInt(await request<Hex>('core_balance', address)),
    },
  };
}

/** The commands of the control address. It also accepts every method of anvil: `request`. */
export type NodeControl = ReturnType<typeof controlNode>;
