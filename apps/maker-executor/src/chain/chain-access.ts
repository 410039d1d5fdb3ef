import type { ChainClient, ConnectedChain, Market, Network, WalletBalance } from '@maker/chain';
import { HostAgreement, hostCountOf, walletBalances, walletTokens } from '@maker/chain';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { type Address, BlockNotFoundError, type Hash } from 'viem';

/** What an endpoint that lags says of a balance: nothing against it. */
const LAGS_AT_BLOCK = -1;

/** The verified chain, as the maker reads it: what is not as our books expect is confirmed by a second host (docs/adr/0116). */
@Injectable()
export class ChainAccess implements OnApplicationShutdown {
  readonly client: ChainClient;
  readonly network: Network;
  readonly market: Market;
  readonly limits: ConnectedChain['limits'];
  readonly hosts: HostAgreement;
  private readonly stop: ConnectedChain['stop'];

  /** @param trustsSingle whether the word of one of several hosts is enough where no other answers */
  constructor({ client, network, market, limits, stop }: ConnectedChain, trustsSingle: boolean) {
    this.client = client;
    this.network = network;
    this.market = market;
    this.limits = limits;
    this.hosts = new HostAgreement(client, trustsSingle || hostCountOf(client) < 2);
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

  /** Hash of the block at a height; undefined where there is none. */
  async blockHash(blockNumber: number, expected: Hash): Promise<Hash | undefined> {
    const read = async (client: ChainClient) => {
      try {
        return (await client.getBlock({ blockNumber: BigInt(blockNumber) })).hash;
      } catch (error) {
        if (error instanceof BlockNotFoundError) return undefined;
        throw error;
      }
    };
    const [hash] = await this.hosts.unless((told) => told === expected, read);
    return hash;
  }

  /**
   * HYPE of a wallet and the block whose state was read, in one call: an answer of a lagging endpoint is known by its
   * block. @param expectedWei of the ledger, which holds until hosts confirm another; without it one host decides @returns undefined where that block is older than `notBefore`
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
        : await this.hosts.nearest(expectedWei, read, ({ balanceWei }) => balanceWei, {
            balanceWei: expectedWei,
            blockNumber: notBefore,
          });
    return reading.blockNumber === LAGS_AT_BLOCK ? undefined : reading;
  }

  /** HYPE of a wallet; undefined where the endpoint has not yet seen the block `notBefore`. */
  async balance(wallet: Address, notBefore: number, expectedWei?: bigint): Promise<bigint | undefined> {
    return (await this.reading(wallet, notBefore, expectedWei))?.balanceWei;
  }

  /** HYPE of many wallets at about the newest block. */
  async balances(wallets: readonly Address[]): Promise<ReadonlyMap<Address, bigint>> {
    const balances = wallets.length === 0 ? [] : await walletBalances(this.client, wallets);
    return new Map([...balances].map(([wallet, { balanceWei }]) => [wallet, balanceWei]));
  }

  /**
   * Tokens of a wallet, in the token's smallest unit; undefined where the token does not tell. @param expected by our books; without it
   * two hosts must tell the same
   */
  async tokens(token: Address, wallet: Address, expected?: bigint): Promise<bigint | undefined> {
    const read = (client: ChainClient) => walletTokens(client, token, wallet);
    if (expected !== undefined) return this.hosts.nearest(expected, read, (tokens) => tokens);
    const [tokens] = await this.hosts.agreed(read);
    return tokens;
  }

  /** Nonces that the chain has used up of a wallet, `otherwise` where hosts confirm no other number than expected; never asked for the `pending` tag, which HyperEVM does not know. */
  usedNonces(wallet: Address, expected: number, otherwise?: number): Promise<number> {
    const read = (client: ChainClient) => client.getTransactionCount({ address: wallet, blockTag: 'latest' });
    return this.hosts.nearest(BigInt(expected), read, BigInt, otherwise);
  }
}
