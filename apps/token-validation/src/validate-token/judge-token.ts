import { hasPairs, type TaxedStep, type TradeVerdict } from '@maker/chain';
import type { LiquidityStatus, ValidateTokenResponse } from '@maker/contracts';
import { formatHype } from '@maker/rules';
import type { PoolFact, TokenFacts } from '../token/token-facts.ts';

/** The answer without the block of the check. */
export type TokenJudgement = Omit<ValidateTokenResponse, 'checkedAtBlock'>;

type Refusal = Required<Pick<ValidateTokenResponse, 'reason' | 'errorMessage'>>;

/** Source: specification § 8. */
const TOO_LITTLE_LIQUIDITY = 'Token does not meet minimum liquidity requirements';

const NO_LIQUIDITY: LiquidityStatus = { meetsMinimum: false, hasV2: false, hasV3: false };

/**
 * Decides whether a token can be boosted, with a sentence for the visitor if not.
 * @param minimumLiquidityWei minimum HYPE side of the deepest pool, wei
 */
export function judgeToken(facts: TokenFacts, minimumLiquidityWei: bigint): TokenJudgement {
  if (facts.kind === 'no_contract') {
    return refused({ reason: 'NOT_A_CONTRACT', errorMessage: 'There is no contract at this address' });
  }
  if (facts.kind === 'no_token') {
    return refused({ reason: 'NOT_A_TOKEN', errorMessage: 'The contract at this address is not an ERC-20 token' });
  }
  const liquidityStatus = liquidityOf(facts, minimumLiquidityWei);
  const refusal = liquidityStatus.meetsMinimum ? refusalOf(facts.trade) : shallowness(facts.pools, minimumLiquidityWei);
  return { isValid: refusal === undefined, ...refusal, liquidityStatus, token: facts.token };
}

function refused(refusal: Refusal): TokenJudgement {
  return { isValid: false, ...refusal, liquidityStatus: NO_LIQUIDITY };
}

/** Returns the reason why no pool is deep enough. */
function shallowness(pools: readonly PoolFact[], minimumLiquidityWei: bigint): Refusal {
  const isStable = pools.some(
    ({ refusal, liquidityWei }) => refusal === 'stable_pair' && liquidityWei >= minimumLiquidityWei,
  );
  return isStable
    ? {
        reason: 'UNSUPPORTED_POOL',
        errorMessage: 'The only deep pool of this token is a stable pair, which is not supported',
      }
    : { reason: 'BELOW_MINIMUM_LIQUIDITY', errorMessage: TOO_LITTLE_LIQUIDITY };
}

function liquidityOf(
  { pools, trade }: Extract<TokenFacts, { kind: 'token' }>,
  minimumLiquidityWei: bigint,
): LiquidityStatus {
  const deepest = deepestOf(pools);
  const v2 = deepestOf(pools.filter(({ kind }) => hasPairs(kind)));
  const v3 = deepestOf(pools.filter(({ kind }) => !hasPairs(kind)));
  const selectedDex = trade?.exchangeId ?? deepest?.exchangeId;
  return {
    meetsMinimum: deepest !== undefined && deepest.liquidityWei >= minimumLiquidityWei,
    hasV2: v2 !== undefined,
    hasV3: v3 !== undefined,
    ...(selectedDex && { selectedDex }),
    ...(v2 && { v2LiquidityHype: inHype(v2.liquidityWei), v2LiquidityWei: v2.liquidityWei.toString() }),
    ...(v3 && { v3LiquidityHype: inHype(v3.liquidityWei), v3LiquidityWei: v3.liquidityWei.toString() }),
  };
}

/** The deepest pool that has liquidity and is not refused. */
function deepestOf(pools: readonly PoolFact[]): PoolFact | undefined {
  return pools
    .filter(({ liquidityWei, refusal }) => liquidityWei > 0n && !refusal)
    .reduce<PoolFact | undefined>(
      (best, pool) => (best && best.liquidityWei >= pool.liquidityWei ? best : pool),
      undefined,
    );
}

/** Rounded for display; the answer has the exact figure in wei too. */
function inHype(wei: bigint): number {
  return Number(formatHype(wei));
}

function refusalOf(trade: TradeVerdict | undefined): Refusal | undefined {
  if (trade === undefined) throw new TypeError('A token with enough liquidity needs a trial');
  switch (trade.kind) {
    case 'tradable':
      return undefined;
    case 'fee_on_transfer':
      return { reason: 'FEE_ON_TRANSFER', errorMessage: feeSentence(trade.step, trade.lostBps) };
    case 'cannot_buy':
      return { reason: 'CANNOT_BUY', errorMessage: 'This token cannot be bought: a simulated purchase failed' };
    case 'cannot_sell':
      return {
        reason: 'CANNOT_SELL',
        errorMessage:
          'A simulated sale right after a purchase failed. This token cannot be sold, or it limits trades in one block. Such tokens are not supported',
      };
    case 'cannot_transfer':
      return {
        reason: 'CANNOT_TRANSFER',
        errorMessage:
          'A simulated transfer right after a purchase failed. This token cannot be sent, or it limits transfers in one block. The bot could not deliver it to you',
      };
  }
}

const WHEN: Readonly<Record<TaxedStep, string>> = {
  buy: 'when it is bought',
  sale: 'when it is sold',
  transfer: 'when it is sent',
};

function feeSentence(step: TaxedStep, lostBps: bigint | undefined): string {
  const share = lostBps === undefined ? '' : ` of about ${Number(lostBps) / 100}%`;
  return `This token takes a fee${share} ${WHEN[step]}: tokens with a fee on transfer are not supported`;
}
