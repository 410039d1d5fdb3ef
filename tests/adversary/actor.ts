import { controlNode } from '@maker/hyperevm-node';
import { localNetwork, type StackDescription } from '@maker/local-stack';
import { type Address, createPublicClient, createWalletClient, type Hex, http, type TransactionReceipt } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';

/** A transaction that an account sends. */
export interface Sending {
  /** Absent for a deployment. */
  readonly to?: Address;
  readonly value?: bigint;
  readonly data?: Hex;
  readonly gas?: bigint;
}

/** With this fee a transaction is in the next block. Wei per gas. */
const ANY_FEE = { maxFeePerGas: 20_000_000_000n, maxPriorityFeePerGas: 0n };

/** HyperEVM's mempool holds at most this many transactions of one address. */
const MOST_WAITING = 8;

/** A transaction of a deployment reverted. */
export class DeploymentReverted extends Error {
  constructor(step: number) {
    super(`step ${step} of a deployment reverted`);
    this.name = 'DeploymentReverted';
  }
}

/** A person with an own account on the stack's chain: an attacker or a victim. */
export class Actor {
  readonly address: Address;
  /** Gas used so far. */
  gasUsed = 0n;
  /** Wei lost to pools so far: the cost of an attack beside gas and the traded sum. */
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

  /** An actor with newly minted HYPE. @param wei beyond the cost of gas */
  static async with(stack: StackDescription, wei: bigint): Promise<Actor> {
    const actor = new Actor(stack);
    await actor.owns(wei);
    return actor;
  }

  /** Sets its HYPE balance, wei. */
  async owns(wei: bigint): Promise<void> {
    await this.control.request('anvil_setBalance', this.address, `0x${wei.toString(16)}`);
  }

  /** Sends a transaction after earlier ones. @returns its receipt, also of a failed one */
  send(sending: Sending): Promise<TransactionReceipt> {
    const send = async () => {
      const hash = await this.wallet.sendTransaction({ gas: 300_000n, ...sending, ...ANY_FEE } as never);
      return this.count(await this.chain.waitForTransactionReceipt({ hash }));
    };
    const sent = this.waiting.then(send, send);
    this.waiting = sent;
    return sent;
  }

  /** Offers transactions with consecutive nonces for the next block, without waiting; see {@link settle}. */
  async offer(sendings: readonly (Sending & { readonly tipWei: bigint })[]): Promise<void> {
    const nonce = await this.chain.getTransactionCount({ address: this.address });
    for (const [index, { tipWei, ...sending }] of sendings.entries()) {
      const fees = { ...ANY_FEE, maxPriorityFeePerGas: tipWei };
      const transaction = { gas: 300_000n, ...sending, nonce: nonce + index, ...fees };
      // Signs without estimates or other requests, so that a flood costs the attacker little.
      const raw = await this.account.signTransaction({ ...transaction, chainId: this.chain.chain.id, type: 'eip1559' });
      this.offered.push(await this.control.request<Hex>('eth_sendRawTransaction', raw));
    }
  }

  /** Counts the gas of offered transactions after they are mined. @throws TransactionReceiptNotFoundError for one that is in no block */
  async settle(): Promise<void> {
    for (const hash of this.offered.splice(0)) this.count(await this.chain.getTransactionReceipt({ hash }));
  }

  /** Sends many transactions together in big blocks. @throws DeploymentReverted */
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
