import type { ChainClient, ConnectedChain, Market, Network } from '@maker/chain';
import { BalanceReader, type BalanceReading, erc20Abi, meaningOf, rpcRequestOf } from '@maker/chain';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import {
  type Address,
  BlockNotFoundError,
  encodeFunctionData,
  type Hash,
  hexToBigInt,
  size,
  slice,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
} from 'viem';

/** Gas of one read of a token, which bounds what it may compute and how much it may answer. A plain one takes 3,000. */
const TOKEN_READ_GAS = 200_000n;

/** HYPE of a wallet, wei, and the block whose state was read. */
export interface WalletBalance {
  readonly balanceWei: bigint;
  readonly blockNumber: number;
}

/** The verified chain, as the maker reads it. */
@Injectable()
export class ChainAccess implements OnApplicationShutdown {
  readonly client: ChainClient;
  readonly network: Network;
  readonly market: Market;
  readonly limits: ConnectedChain['limits'];
  private readonly reader: BalanceReader;
  private readonly stop: ConnectedChain['stop'];

  constructor({ client, network, market, limits, stop }: ConnectedChain) {
    this.client = client;
    this.network = network;
    this.market = market;
    this.limits = limits;
    this.reader = new BalanceReader(rpcRequestOf(client), { multicall3: network.multicall3 });
    this.stop = stop;
  }

  onApplicationShutdown(): void {
    this.stop();
  }

  /** Receipt of a transaction by hash; undefined while it is in no block. */
  async receipt(hash: Hash): Promise<TransactionReceipt | undefined> {
    try {
      return await this.client.getTransactionReceipt({ hash });
    } catch (error) {
      if (error instanceof TransactionReceiptNotFoundError) return undefined;
      throw error;
    }
  }

  /** Timestamp of a block, ms. */
  async blockTime(blockNumber: bigint): Promise<number> {
    const { timestamp } = await this.client.getBlock({ blockNumber });
    return Number(timestamp) * 1000;
  }

  /** Hash of the block at a height; undefined where the node has none there. */
  async blockHash(blockNumber: number): Promise<Hash | undefined> {
    try {
      const { hash } = await this.client.getBlock({ blockNumber: BigInt(blockNumber) });
      return hash;
    } catch (error) {
      if (error instanceof BlockNotFoundError) return undefined;
      throw error;
    }
  }

  /**
   * HYPE of a wallet and the block whose state was read, in one call: an answer of a lagging endpoint is known by its
   * block. @returns undefined where that block is older than `notBefore`
   */
  async reading(wallet: Address, notBefore: number): Promise<WalletBalance | undefined> {
    const address = wallet.toLowerCase() as Address;
    const [reading] = await this.reader.read([address]);
    if (!reading || reading.blockNumber < notBefore) return undefined;
    return { balanceWei: balanceIn(reading, address), blockNumber: reading.blockNumber };
  }

  /** HYPE of a wallet; undefined where the endpoint has not yet seen the block `notBefore`. */
  async balance(wallet: Address, notBefore: number): Promise<bigint | undefined> {
    return (await this.reading(wallet, notBefore))?.balanceWei;
  }

  /** HYPE of many wallets at about the newest block. */
  async balances(wallets: readonly Address[]): Promise<ReadonlyMap<Address, bigint>> {
    const byAddress = new Map<Address, bigint>();
    if (wallets.length === 0) return byAddress;
    const readings = await this.reader.read(wallets.map((wallet) => wallet.toLowerCase() as Address));
    for (const wallet of wallets) {
      const address = wallet.toLowerCase() as Address;
      const reading = readings.find(({ addresses }) => addresses.includes(address));
      if (reading) byAddress.set(wallet, balanceIn(reading, address));
    }
    return byAddress;
  }

  /**
   * Tokens of a wallet, in the token's smallest unit, at the newest block.
   * @returns undefined where the token does not tell: it reverts, uses up its gas, or answers with something else
   */
  async tokens(token: Address, wallet: Address): Promise<bigint | undefined> {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [wallet] });
    try {
      const { data: answer } = await this.client.call({ to: token, data, gas: TOKEN_READ_GAS });
      return answer !== undefined && size(answer) >= 32 ? hexToBigInt(slice(answer, 0, 32)) : undefined;
    } catch (error) {
      const meaning = meaningOf(error);
      if (meaning === 'reverted' || meaning === 'too_large') return undefined;
      throw error;
    }
  }

  /** Nonces that the chain has used up of a wallet; never asked for the `pending` tag, which HyperEVM does not know. */
  usedNonces(wallet: Address): Promise<number> {
    return this.client.getTransactionCount({ address: wallet, blockTag: 'latest' });
  }
}

function balanceIn(reading: BalanceReading, address: Address): bigint {
  return reading.balances.get(address) ?? 0n;
}
