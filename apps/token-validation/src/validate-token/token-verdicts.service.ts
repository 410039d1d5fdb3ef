import { ChainUnavailableError, type ConnectedChain, latestBlockAndFee, SmallBlockFee } from '@maker/chain';
import type { ValidateTokenResponse } from '@maker/contracts';
import { RequestFailure } from '@maker/messaging';
import { MINIMUM_LIQUIDITY_WEI } from '@maker/rules';
import { Clock, Logger, SingleFlight, SteadyClock } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { Address } from 'viem';
import { SNAPSHOT_REUSE } from '../configuration.ts';
import { CONNECTED_CHAIN } from '../connected-chain.provider.ts';
import { SnapshotsRepository } from '../token/snapshots.repository.ts';
import type { TokenFacts } from '../token/token-facts.ts';
import { ValidationMetrics } from '../validation.metrics.ts';
import { judgeToken } from './judge-token.ts';
import { readTokenFacts } from './read-token-facts.ts';
import { UnknownTokenBudget } from './unknown-token-budget.ts';

/** Most that the clocks of two replicas differ, ms. */
const CLOCKS_DIFFER_MS = 5000;

/** Answers whether a token can be boosted, from snapshots and the chain. Concurrent requests for a token share the work. */
@Injectable()
export class TokenVerdictsService {
  private readonly validations = new SingleFlight<ValidateTokenResponse>();
  private readonly fee: SmallBlockFee;
  private readonly unknownTokens: UnknownTokenBudget;

  constructor(
    @Inject(SNAPSHOT_REUSE) private readonly reusedMs: number,
    @Inject(CONNECTED_CHAIN) private readonly chain: ConnectedChain,
    private readonly logger: Logger,
    private readonly snapshots: SnapshotsRepository,
    private readonly metrics: ValidationMetrics,
    private readonly clock: Clock,
    steady: SteadyClock,
  ) {
    this.fee = new SmallBlockFee(chain.client);
    this.unknownTokens = new UnknownTokenBudget(chain.limits, steady);
  }

  /**
   * @param client address of the client, if known
   * @throws TooManyUnknownTokens
   * @throws RequestFailure `SERVICE_UNAVAILABLE` if the chain cannot be read: this never makes a token invalid
   */
  async answer(tokenAddress: Address, client?: string): Promise<ValidateTokenResponse> {
    try {
      return await this.validations.run(tokenAddress, () => this.judge(tokenAddress, client));
    } catch (error) {
      if (!(error instanceof ChainUnavailableError)) throw error;
      this.metrics.answered('unavailable');
      this.logger.error({ err: error, tokenAddress }, 'token not validated, the chain does not answer');
      throw new RequestFailure(
        'SERVICE_UNAVAILABLE',
        'The service cannot reach the network at the moment. Please try again.',
      );
    }
  }

  private async judge(token: Address, client: string | undefined): Promise<ValidateTokenResponse> {
    const nowMs = this.clock.now();
    const known = await this.snapshots.find(token, nowMs - this.reusedMs, nowMs + CLOCKS_DIFFER_MS);
    if (!known && !(await this.wasTradable(token))) this.unknownTokens.spend(client);
    // Always the newest block: a job's deadline counts from it.
    const block = await latestBlockAndFee(this.chain.client, this.fee);
    const facts = known ?? (await this.read(token, block.smallBlockFeeWei));
    const judgement = judgeToken(facts, MINIMUM_LIQUIDITY_WEI);
    const outcome = judgement.reason?.toLowerCase() ?? 'valid';
    this.metrics.answered(outcome);
    this.logger.info({ tokenAddress: token, outcome, ...this.detail(facts) }, 'token validated');
    return {
      ...judgement,
      checkedAtBlock: { number: block.number, at: new Date(block.timestampMs).toISOString() },
    };
  }

  /** Whether the token was tradable when it was last read, within the day that snapshots are kept. */
  private async wasTradable(token: Address): Promise<boolean> {
    const facts = await this.snapshots.find(token, 0, Date.parse('9999-12-31T00:00:00Z'));
    return facts !== undefined && judgeToken(facts, MINIMUM_LIQUIDITY_WEI).isValid;
  }

  private async read(token: Address, gasPriceWei: bigint): Promise<TokenFacts> {
    const facts = await readTokenFacts(this.chain, token, gasPriceWei);
    await this.snapshots.save(token, facts, this.clock.now());
    return facts;
  }

  /** Returns the node's error of a refused trial, for the log. */
  private detail(facts: TokenFacts): { trialRefusedWith?: string } {
    if (facts.kind !== 'token' || !facts.trade || !('reason' in facts.trade)) return {};
    return { trialRefusedWith: facts.trade.reason };
  }
}
