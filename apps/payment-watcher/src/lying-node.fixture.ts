import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type Address, type Hex, keccak256, numberToHex, parseTransaction } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

interface WireTransaction {
  readonly hash: Hex;
  from: Address;
  to: Address | null;
  value: Hex;
}

interface WireBlock {
  readonly number: Hex;
  readonly hash: Hex;
  timestamp: Hex;
  transactions: WireTransaction[];
}

/** A node before the real one that lies. */
export class LyingNode {
  url = '';
  /** Added to the time of the newest block, and of blocks from this height on, seconds. */
  ahead: { readonly fromBlock: number; readonly seconds: number } | undefined;
  /** Told as the sender of every transfer to an address. */
  falseSender: { readonly to: Address; readonly from: Address } | undefined;
  /** Told as the value of every transfer to an address, which no signature is of. */
  falseValue: { readonly to: Address; readonly value: bigint } | undefined;
  /** Methods that it does not answer. */
  readonly silent = new Set<string>();
  private forged: { readonly transaction: object; readonly hash: Hex; inBlock: Hex | undefined } | undefined;
  private readonly server;

  private constructor(private readonly rpcUrl: string) {
    this.server = createServer(async (request, response) => {
      const body = await text(request);
      const { method, params } = JSON.parse(body) as { method: string; params: unknown[] };
      if (this.silent.has(method)) {
        response.writeHead(503).end();
        return;
      }
      const headers = { 'content-type': 'application/json' };
      const answer = (await (await fetch(this.rpcUrl, { method: 'POST', body, headers })).json()) as {
        result: unknown;
      };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...answer, result: this.changed(method, params, answer.result) }));
    });
  }

  static async start(rpcUrl: string): Promise<LyingNode> {
    const node = new LyingNode(rpcUrl);
    await new Promise<void>((resolve) => node.server.listen(0, '127.0.0.1', resolve));
    node.url = `http://127.0.0.1:${(node.server.address() as AddressInfo).port}`;
    return node;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** Shows a transfer that is signed and never mined, in the next block. @returns its hash */
  async forge(privateKey: Hex, chainId: number, to: Address, value: bigint): Promise<Hex> {
    const account = privateKeyToAccount(privateKey);
    const fields = { type: 'legacy', chainId, to, value, nonce: 0, gas: 21_000n, gasPrice: 2_000_000_000n } as const;
    const serialized = await account.signTransaction(fields);
    const { r, s, v } = parseTransaction(serialized);
    const hash = keccak256(serialized);
    const transaction = {
      ...{ hash, from: account.address.toLowerCase(), to: to.toLowerCase(), value: numberToHex(value), input: '0x' },
      ...{
        type: '0x0',
        nonce: '0x0',
        gas: numberToHex(21_000),
        gasPrice: numberToHex(2_000_000_000),
        chainId: numberToHex(chainId),
      },
      ...{ r, s, v: numberToHex(v ?? 0n) },
    };
    this.forged = { transaction, hash, inBlock: undefined };
    return hash;
  }

  private changed(method: string, params: readonly unknown[], result: unknown): unknown {
    const { forged } = this;
    if (method === 'eth_getTransactionByHash' && result) this.changeTransaction(result as WireTransaction);
    if (method === 'eth_getBlockByNumber' && result) return this.changedBlock(result as WireBlock, params[1] === true);
    if (!forged?.inBlock) return result;
    const receipt = { transactionHash: forged.hash, blockHash: forged.inBlock, status: '0x1' };
    if (method === 'eth_getTransactionReceipt' && params[0] === forged.hash) return receipt;
    if (method === 'eth_getBlockReceipts' && Array.isArray(result)) return [...result, receipt];
    return result;
  }

  private changedBlock(block: WireBlock, isFull: boolean): WireBlock {
    const { ahead, forged } = this;
    if (ahead && Number(block.number) >= ahead.fromBlock)
      block.timestamp = numberToHex(Number(block.timestamp) + ahead.seconds);
    if (!isFull) return block;
    if (forged) forged.inBlock ??= block.hash;
    if (forged?.inBlock === block.hash) block.transactions = [...block.transactions, forged.transaction as never];
    for (const transaction of block.transactions) this.changeTransaction(transaction);
    return block;
  }

  private changeTransaction(transaction: WireTransaction): void {
    const { falseSender, falseValue } = this;
    if (transaction.to && transaction.to === falseSender?.to) transaction.from = falseSender.from;
    if (transaction.to && transaction.to === falseValue?.to) transaction.value = numberToHex(falseValue.value);
  }
}
