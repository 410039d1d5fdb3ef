import {
  type ChainClient,
  EXCHANGES,
  loadExchanges,
  networkOf,
  queryAll,
  type TokenBalance,
  tokenBalance,
} from '@maker/chain';
import type { FoundToken } from '@maker/contracts';
import { Logger } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import { type Address, getAddress } from 'viem';
import { BACKGROUND_CLIENT } from '../chain-client.ts';
import { PAYMENT_WATCHER_CONFIGURATION, type PaymentWatcherConfiguration } from '../configuration.ts';
import type { SearchedWatch } from '../watch/watches.repository.ts';
import type { TokensFound } from './finds.ts';
import type { AssetSearch } from './scheduled-search.ts';

/** Addresses in one request. */
const ADDRESSES_PER_CALL = 20;

/** One token at one searched address, with the address's index. */
interface Wanted {
  readonly index: number;
  readonly address: Address;
  readonly token: Address;
}

/** The same after the request; without a balance if it is unknown. */
interface Read extends Wanted {
  readonly balance?: TokenBalance | undefined;
}

type SearchedAddress = Pick<SearchedWatch, 'address' | 'tokenAddress'>;

/**
 * Finds tokens at the addresses of jobs. In each round, one request reads wrapped HYPE of every exchange and another the jobs' own
 * tokens. Both have the lowest priority. Source: docs/adr/0093.
 */
@Injectable()
export class TokenSearch implements AssetSearch<'tokens'> {
  readonly kind = 'tokens';
  readonly isConfigured = true;
  readonly name = 'tokens';
  readonly addressesPerCall = ADDRESSES_PER_CALL;
  readonly concurrentCalls = 1;
  readonly nothing: TokensFound = { tokens: [] };
  private readonly wrapped: readonly Address[];

  constructor(
    @Inject(BACKGROUND_CLIENT) private readonly client: ChainClient,
    @Inject(PAYMENT_WATCHER_CONFIGURATION) configuration: PaymentWatcherConfiguration,
    private readonly logger: Logger,
  ) {
    const { CHAIN_ID, CHAIN_EXCHANGES_FILE } = configuration;
    const isKnown = CHAIN_EXCHANGES_FILE !== undefined || EXCHANGES[CHAIN_ID] !== undefined;
    const exchanges = isKnown ? loadExchanges(CHAIN_ID, CHAIN_EXCHANGES_FILE) : [];
    const { wrappedNative } = networkOf(CHAIN_ID);
    const wrapped = [...exchanges.map((exchange) => exchange.wrappedNative), ...(wrappedNative ? [wrappedNative] : [])];
    this.wrapped = [...new Set(wrapped.map((token) => getAddress(token)))];
  }

  /** Finds tokens. A token that could not be read keeps its last balance and never counts as absent. @throws ChainUnavailableError */
  async find(
    watches: readonly SearchedAddress[],
    before: readonly (TokensFound | undefined)[],
  ): Promise<readonly (TokensFound | undefined)[]> {
    const balances = [...(await this.read(this.wrappedOf(watches))), ...(await this.readOwn(this.ownOf(watches)))];
    return watches.map((_, index) => {
      const isUnread = balances.some((one) => one.index === index && !one.balance);
      const tokens = balances.flatMap((one) => {
        if (one.index !== index) return [];
        if (one.balance) return foundAt(one);
        return before[index]?.tokens.filter(({ tokenAddress }) => tokenAddress === one.token) ?? [];
      });
      return isUnread && tokens.length === 0 && !before[index] ? undefined : { tokens };
    });
  }

  private wrappedOf(watches: readonly SearchedAddress[]): Wanted[] {
    return watches.flatMap(({ address }, index) => this.wrapped.map((token) => ({ index, address, token })));
  }

  private ownOf(watches: readonly SearchedAddress[]): Wanted[] {
    return watches.flatMap(({ address, tokenAddress }, index) => {
      const token = tokenAddress && getAddress(tokenAddress);
      return token && !this.wrapped.includes(token) ? [{ index, address, token }] : [];
    });
  }

  /** Reads the jobs' own tokens. Strangers choose these contracts: if one makes the request fail, wrapped HYPE is still reported. */
  private async readOwn(own: readonly Wanted[]): Promise<readonly Read[]> {
    try {
      return await this.read(own);
    } catch (error) {
      this.logger.warn({ err: error }, "balances of jobs' tokens unread, searching again later");
      return own;
    }
  }

  private async read(wanted: readonly Wanted[]): Promise<readonly Read[]> {
    if (wanted.length === 0) return [];
    const queries = wanted.map(({ token, address }) => tokenBalance(token, address));
    const balances = await queryAll(this.client, queries);
    return wanted.map((one, at) => ({ ...one, balance: balances[at] }));
  }
}

function foundAt({ token, balance }: Read): FoundToken[] {
  return balance && balance.amount > 0n ? [{ ...balance, tokenAddress: token, amount: `${balance.amount}` }] : [];
}
