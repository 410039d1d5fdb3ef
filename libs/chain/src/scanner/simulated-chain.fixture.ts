import type { Address, Hash, Hex } from 'viem';
import type { ScanClock } from './block-scanner.ts';
import type { RpcRequest } from './rpc-request.ts';
import type { WireBlock, WireTransaction } from './wire-block.ts';

/** Creates pseudo-random numbers, the same for each seed. */
export function seededRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A chain in memory with replaceable blocks, and a faulty node that serves it. */
export class SimulatedChain implements ScanClock {
  readonly blocks: WireBlock[] = [];
  /** The node no longer serves blocks below this height. */
  prunedBelow = 0;
  calls = 0;
  private nowMs = 1_000_000;
  private made = 0;
  private readonly failed = new Set<Hash>();
  private readonly onWait: (chain: SimulatedChain) => void;

  /** @param onWait called whenever the scanner waits: the moment for the chain to continue */
  constructor(onWait: (chain: SimulatedChain) => void) {
    this.onWait = onWait;
    this.mine();
  }

  get headNumber(): number {
    return this.blocks.length - 1;
  }

  now(): number {
    return this.nowMs;
  }

  async wait(ms: number): Promise<void> {
    this.nowMs += Math.max(ms, 0);
    this.onWait(this);
  }

  mine(transactions: readonly Partial<WireTransaction>[] = [], gasLimit: Hex = '0x2dc6c0'): void {
    this.blocks.push({
      number: `0x${this.blocks.length.toString(16)}`,
      hash: this.newHash(),
      parentHash: this.blocks.at(-1)?.hash ?? `0x${'00'.repeat(32)}`,
      timestamp: `0x${Math.floor(this.nowMs / 1000).toString(16)}`,
      gasLimit,
      transactions: transactions.map((transaction) => ({
        hash: this.newHash(),
        from: `0x${'bb'.repeat(20)}`,
        to: null,
        value: '0x0',
        input: '0x',
        ...transaction,
      })),
    });
  }

  /** Mines a transfer. @returns its hash */
  pay(to: Address, wei: bigint, succeeds = true): Hash {
    const [hash] = this.payTogether(to, [{ wei, succeeds }]);
    return hash as Hash;
  }

  /** Mines transfers in one block. @returns their hashes */
  payTogether(to: Address, payments: readonly { readonly wei: bigint; readonly succeeds: boolean }[]): Hash[] {
    const transfers = payments.map(({ wei, succeeds }) => {
      const hash = this.newHash();
      if (!succeeds) this.failed.add(hash);
      return { hash, to, value: `0x${wei.toString(16)}` as Hex };
    });
    this.mine(transfers);
    return transfers.map(({ hash }) => hash);
  }

  /** Removes the newest blocks. */
  rollBack(depth: number): void {
    this.blocks.splice(-depth);
  }

  readonly request: RpcRequest = async ({ method, params }) => {
    this.calls += 1;
    if (method === 'eth_blockNumber') return `0x${this.headNumber.toString(16)}`;
    if (method === 'eth_getBlockByNumber') {
      const number = params[0] === 'latest' ? this.headNumber : Number(params[0]);
      return number < this.prunedBelow ? null : (this.blocks[number] ?? null);
    }
    if (method === 'eth_getTransactionReceipt') {
      const block = this.blocks.find(({ transactions }) => transactions.some(({ hash }) => hash === params[0]));
      return block ? this.receiptIn(block, params[0] as Hash) : null;
    }
    if (method === 'eth_getBlockReceipts') {
      const block = this.blocks[Number(params[0])];
      return block ? block.transactions.map(({ hash }) => this.receiptIn(block, hash)) : null;
    }
    throw new Error(`${method} is not simulated`);
  };

  private receiptIn({ hash: blockHash }: WireBlock, transactionHash: Hash) {
    return { transactionHash, blockHash, status: this.failed.has(transactionHash) ? '0x0' : '0x1' };
  }

  private newHash(): Hash {
    this.made += 1;
    return `0x${this.made.toString(16).padStart(64, '0')}`;
  }
}
