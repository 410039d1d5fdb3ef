import {
  AgreedMarket,
  ChainUnavailableError,
  type ConnectedChain,
  hostCountOf,
  type MarketFacts,
  readMarketFacts,
  UnconfirmedError,
} from '@maker/chain';
import { type MarketFactsMessage, readMarket, type ValidateTokenRequest } from '@maker/contracts';
import { HandleRequest, RequestFailure } from '@maker/messaging';
import { MAXIMUM_PAYMENT_WEI, MINIMUM_LIQUIDITY_WEI, splitDeposit } from '@maker/rules';
import { Logger, SingleFlight, SteadyClock } from '@maker/service-kit';
import { Controller, Inject } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Address } from 'viem';
import type { z } from 'zod';
import { CONFIGURATION, SNAPSHOT_REUSE, type TokenValidationConfiguration } from '../configuration.ts';
import { CONNECTED_CHAIN } from '../connected-chain.provider.ts';
import { TokenVerdictsService } from '../validate-token/token-verdicts.service.ts';

type Reply = z.input<typeof readMarket.reply>;

/** Largest order budget of a job, wei: one reading up to it serves all budgets. */
const LARGEST_BUDGET_WEI = splitDeposit(MAXIMUM_PAYMENT_WEI).orderBudgetWei;

/** Tokens in the cache of markets. */
const TOKENS_REMEMBERED = 1000;

/**
 * Answers `token.market.get`. Concurrent requests share a reading, and later ones reuse it for a few seconds: the wizard requests
 * a plan at each keystroke of a budget.
 */
@Controller()
export class ReadMarketHandler {
  private readonly readings = new SingleFlight<MarketFacts>();
  private readonly recent = new LRUCache<Address, { readonly facts: MarketFacts; readonly readAtMs: number }>({
    max: TOKENS_REMEMBERED,
  });
  private readonly agreed: AgreedMarket;

  constructor(
    @Inject(CONFIGURATION) configuration: TokenValidationConfiguration,
    @Inject(SNAPSHOT_REUSE) private readonly reusedMs: number,
    @Inject(CONNECTED_CHAIN) private readonly chain: ConnectedChain,
    private readonly logger: Logger,
    private readonly verdicts: TokenVerdictsService,
    private readonly clock: SteadyClock,
  ) {
    this.agreed = new AgreedMarket(chain.client, chain.market, configuration.CHAIN_TRUST_SINGLE_ENDPOINT);
    if (!configuration.CHAIN_TRUST_SINGLE_ENDPOINT && hostCountOf(chain.client) < 2) {
      logger.warn(
        'jobs refused, CHAIN_RPC_URLS names one host: add one of another provider, or set CHAIN_TRUST_SINGLE_ENDPOINT=true',
      );
    }
  }

  /** @throws RequestFailure `PRICE_UNCONFIRMED` when no second endpoint confirms, `SERVICE_UNAVAILABLE` when the chain cannot be read */
  @HandleRequest(readMarket)
  async read({ tokenAddress }: ValidateTokenRequest): Promise<Reply> {
    const verdict = await this.verdicts.answer(tokenAddress);
    if (!verdict.isValid || !verdict.token) return { verdict };
    const { symbol, decimals } = verdict.token;
    const facts = await this.factsOf(tokenAddress);
    return { verdict, market: { ...toMessage(facts), token: { symbol, decimals } } };
  }

  private async factsOf(token: Address): Promise<MarketFacts> {
    const known = this.recent.get(token);
    if (known && this.clock.now() - known.readAtMs < this.reusedMs) return known.facts;
    return this.readings.run(token, () => this.readNow(token));
  }

  private async readNow(token: Address): Promise<MarketFacts> {
    const question = { minimumLiquidityWei: MINIMUM_LIQUIDITY_WEI, budgetWei: LARGEST_BUDGET_WEI };
    const chain = { ...this.chain, market: this.agreed };
    const facts = await readMarketFacts(chain, token, question).catch((error: unknown) => {
      if (error instanceof UnconfirmedError) {
        this.logger.error({ err: error, tokenAddress: token, hosts: error.hosts }, 'price unconfirmed, plan refused');
        const message = 'A second source could not confirm the price of this token. Please try again.';
        throw new RequestFailure('PRICE_UNCONFIRMED', message);
      }
      if (!(error instanceof ChainUnavailableError)) throw error;
      this.logger.error({ err: error, tokenAddress: token }, 'market not read, the chain does not answer');
      throw new RequestFailure(
        'SERVICE_UNAVAILABLE',
        'The service cannot reach the network at the moment. Please try again.',
      );
    });
    this.recent.set(token, { facts, readAtMs: this.clock.now() });
    return facts;
  }
}

function toMessage({
  block,
  gasPriceWei,
  blockTimeMs,
  deliveryGas,
  pools,
  limits,
}: MarketFacts): Omit<MarketFactsMessage, 'token'> {
  return {
    block: { number: block.number, at: new Date(block.timestampMs).toISOString() },
    gasPriceWei: gasPriceWei.toString(),
    deliveryGas: deliveryGas.toString(),
    blockGas: block.gasLimit.toString(),
    blockTimeMs,
    ...(limits && { limits: { ...limits, mostSpentWei: limits.mostSpentWei?.toString() } }),
    pools: pools.map(({ exchange, orderGas, laterGas, samples }) => ({
      exchange,
      orderGas: orderGas.toString(),
      laterGas: laterGas?.toString(),
      samples: samples.map(({ inWei, tokens }) => ({ inWei: inWei.toString(), tokens: tokens.toString() })),
    })),
  };
}
