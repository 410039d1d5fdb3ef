import type { ChainClient, ConnectedChain, Market, Network, WalletBalance } from '@maker/chain';
import { agreedAnswers, Hosts, hostCountOf, nearestAmount, quorum, walletBalances, walletTokens } from '@maker/chain';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Address, BlockNotFoundError, type Hash } from 'viem';

/** Marks the balance of a lagging endpoint, which counts as the expected balance. */
const LAGS_AT_BLOCK = -1;

/** Reads the verified chain. A second host must confirm a value that differs from the ledger (docs/adr/0116). */
@Injectable()
export class ChainAccess implements OnApplicationShutdown {
  readonly client: ChainClient;
  readonly network: Network;
  readonly market: Market;
  readonly limits: ConnectedChain['limits'];
  readonly hosts: Hosts;
  private readonly stop: ConnectedChain['stop'];

  /** @param trustsSingle whether one host's answer is enough when no other of several hosts answers */
  constructor({ client, network, market, limits, stop }: ConnectedChain, trustsSingle: boolean) {
    this.client = client;
    this.network = network;
    this.market = market;
    this.limits = limits;
    this.hosts = new Hosts(client, trustsSingle || hostCountOf(client) < 2);
    this.stop = stop;
  }

  onApplicationShutdown(): void {
    this.stop();
  }

  /** Timestamp of a block, ms. */
  async blockTime(blockNumber: bigint): Promise<number> {
    const { timestamp } = await this.client.getBlock({ blockNumber });
    return Number(timestamp) * 1000;
  }

  /** Hash of the block at a height; undefined without a block. */
  async blockHash(blockNumber: number, expected: Hash): Promise<Hash | undefined> {
    const read = async (client: ChainClient) => {
      try {
        return (await client.getBlock({ blockNumber: BigInt(blockNumber) })).hash;
      } catch (error) {
        if (error instanceof BlockNotFoundError) return undefined;
        throw error;
      }
    };
    const verdict = await quorum(this.hosts.question(read), { expected: (answer) => answer === expected });
    return agreedAnswers(verdict)[0];
  }

  /**
   * Reads a wallet's HYPE and the block of that state in one call: the block reveals a lagging endpoint. @param expectedWei the
   * ledger's balance, used until hosts confirm another; without it one host decides @returns undefined if the block is before `notBefore`
   */
  async reading(wallet: Address, notBefore: number, expectedWei?: bigint): Promise<WalletBalance | undefined> {
    const read = async (client: ChainClient): Promise<WalletBalance> => {
      const reading = (await walletBalances(client, [wallet])).get(wallet);
      if (reading && reading.blockNumber >= notBefore) return reading;
      return { balanceWei: expectedWei ?? 0n, blockNumber: LAGS_AT_BLOCK };
    };
    const reading =
      expectedWei === undefined
        ? await read(this.client)
        : await nearestAmount(this.hosts.question(read), expectedWei, ({ balanceWei }) => balanceWei, {
            balanceWei: expectedWei,
            blockNumber: notBefore,
          });
    return reading.blockNumber === LAGS_AT_BLOCK ? undefined : reading;
  }

  /** HYPE of a wallet; undefined if the endpoint does not have the block `notBefore` yet. */
  async balance(wallet: Address, notBefore: number, expectedWei?: bigint): Promise<bigint | undefined> {
    return (await this.reading(wallet, notBefore, expectedWei))?.balanceWei;
  }

  /** HYPE of many wallets at about the newest block. */
  async balances(wallets: readonly Address[]): Promise<ReadonlyMap<Address, bigint>> {
    const balances = wallets.length === 0 ? [] : await walletBalances(this.client, wallets);
    return new Map([...balances].map(([wallet, { balanceWei }]) => [wallet, balanceWei]));
  }

  /**
   * Tokens of a wallet, in the token's smallest unit; undefined if the token's contract gives no balance. @param expected by the
   * ledger; without it two hosts must agree
   */
  async tokens(token: Address, wallet: Address, expected?: bigint): Promise<bigint | undefined> {
    const read = (client: ChainClient) => walletTokens(client, token, wallet);
    const question = this.hosts.question(read);
    if (expected !== undefined) return nearestAmount(question, expected, (tokens) => tokens);
    return agreedAnswers(await quorum(question))[0];
  }

  /** Number of a wallet's nonces used on the chain. If hosts confirm no number, returns `otherwise`. HyperEVM has no `pending` tag. */
  usedNonces(wallet: Address, expected: number, otherwise?: number): Promise<number> {
    const read = (client: ChainClient) => client.getTransactionCount({ address: wallet, blockTag: 'latest' });
    return nearestAmount(this.hosts.question(read), BigInt(expected), BigInt, otherwise);
  }
}
