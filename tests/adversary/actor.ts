import { controlNode } from '@maker/hyperevm-node';
import { localNetwork, type StackDescription } from '@maker/local-stack';
import { type Address, createPublicClient, createWalletClient, type Hex, http, type TransactionReceipt } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

/** A transaction that somebody sends. */
export interface Sending {
  /** Absent where it deploys. */
  readonly to?: Address;
  readonly value?: bigint;
  readonly data?: Hex;
  readonly gas?: bigint;
}

/** Whoever minds no fee is in the next block. Wei per gas. */
const ANY_FEE = { maxFeePerGas: 20_000_000_000n, maxPriorityFeePerGas: 0n };

/** HyperEVM's mempool takes no more of one address. */
const MOST_WAITING = 8;

/** A step of a deployment was mined and reverted. */
export class DeploymentReverted extends Error {
  constructor(step: number) {
    super(`step ${step} of a deployment reverted`);
    this.name = 'DeploymentReverted';
  }
}

/** Somebody with an account of their own on the stack's chain: who means harm, or who is robbed. */
export class Actor {
  readonly address: Address;
  /** Used so far. */
  gasUsed = 0n;
  /** Lost to pools so far, wei: what an attack cost beside gas and what it moved. */
  lostWei = 0n;
  private readonly account;
  private readonly wallet;
  private readonly chain;
  private readonly control;
  private readonly offered: Hex[] = [];
  private waiting: Promise<unknown> = Promise.resolve();

  constructor(stack: StackDescription, key: Hex = generatePrivateKey()) {
    const account = privateKeyToAccount(key);
    const chain = localNetwork(stack.chainControlUrl);
    const transport = http(stack.chainControlUrl);
    this.account = account;
    this.address = account.address;
    this.wallet = createWalletClient({ chain, transport, account });
    this.chain = createPublicClient({ chain, transport, pollingInterval: 100, cacheTime: 0 });
    this.control = controlNode(stack.chainControlUrl);
  }

  /** Somebody with HYPE from nowhere. @param wei beside what gas costs */
  static async with(stack: StackDescription, wei: bigint): Promise<Actor> {
    const actor = new Actor(stack);
    await actor.owns(wei);
    return actor;
  }

  /** Has so much HYPE from now on, wei. */
  async owns(wei: bigint): Promise<void> {
    await this.control.request('anvil_setBalance', this.address, `0x${wei.toString(16)}`);
  }

  /** Sends one, after those before it. @returns its receipt, whether it succeeded or not */
  send(sending: Sending): Promise<TransactionReceipt> {
    const send = async () => {
      const hash = await this.wallet.sendTransaction({ gas: 300_000n, ...sending, ...ANY_FEE } as never);
      return this.count(await this.chain.waitForTransactionReceipt({ hash }));
    };
    const sent = this.waiting.then(send, send);
    this.waiting = sent;
    return sent;
  }

  /** Offers several for the next block, one behind the other, and does not wait for it; see {@link settle}. */
  async offer(sendings: readonly (Sending & { readonly tipWei: bigint })[]): Promise<void> {
    const nonce = await this.chain.getTransactionCount({ address: this.address });
    for (const [index, { tipWei, ...sending }] of sendings.entries()) {
      const fees = { ...ANY_FEE, maxPriorityFeePerGas: tipWei };
      const transaction = { gas: 300_000n, ...sending, nonce: nonce + index, ...fees };
      // Nothing is asked for it: a flood is as cheap as it can be.
      const raw = await this.account.signTransaction({ ...transaction, chainId: this.chain.chain.id, type: 'eip1559' });
      this.offered.push(await this.control.request<Hex>('eth_sendRawTransaction', raw));
    }
  }

  /** Pays for what was offered and is in blocks. @throws TransactionReceiptNotFoundError where it is in none */
  async settle(): Promise<void> {
    for (const hash of this.offered.splice(0)) this.count(await this.chain.getTransactionReceipt({ hash }));
  }

  /** Sends many in big blocks, made at once. @throws DeploymentReverted */
  async sendInBigBlocks(sendings: readonly Sending[]): Promise<void> {
    await this.control.setUsingBigBlocks(this.address, true);
    const firstNonce = await this.chain.getTransactionCount({ address: this.address });
    for (let from = 0; from < sendings.length; from += MOST_WAITING) {
      const group = sendings.slice(from, from + MOST_WAITING);
      const hashes: Hex[] = [];
      for (const [index, sending] of group.entries()) {
        const nonce = firstNonce + from + index;
        hashes.push(await this.wallet.sendTransaction({ gas: 7_000_000n, ...sending, nonce, ...ANY_FEE } as never));
      }
      const used = () => this.chain.getTransactionCount({ address: this.address });
      while ((await used()) < firstNonce + from + group.length) await this.control.mineBigBlock();
      for (const [index, hash] of hashes.entries()) {
        const receipt = this.count(await this.chain.getTransactionReceipt({ hash }));
        if (receipt.status === 'reverted') throw new DeploymentReverted(from + index);
      }
    }
    await this.control.setUsingBigBlocks(this.address, false);
  }

  private count(receipt: TransactionReceipt): TransactionReceipt {
    this.gasUsed += receipt.gasUsed;
    return receipt;
  }
}
