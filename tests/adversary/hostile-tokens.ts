import type { HostileContract } from '@maker/local-stack';
import { type End, UNHARMED } from './ends.ts';

/** When a token becomes another: before anybody looks at it, once it is paid for, or after its first order. */
export type Moment = 'before' | 'when paid' | 'while trading';

/** A token that means harm. The attack costs its deployer a deployment or an upgrade: less than a cent. */
export interface HostileToken {
  readonly does: string;
  readonly becomes: HostileContract | 'nothing';
  readonly moment: Moment;
  /** How the job ends that meets nobody else. */
  readonly end: End;
}

const token = (
  does: string,
  becomes: HostileToken['becomes'],
  end: End = UNHARMED,
  moment: Moment = 'while trading',
): HostileToken => ({ does, becomes, end, moment });

const ended = (status: string, tokens: string, ...reasons: string[]): string =>
  [status, tokens, 'HYPE returned', ...reasons.map((reason) => `because ${reason}`)].join('; ');

const NO_POOL = 'no pool was deep enough for too long';
const NO_POOL_AT_TIMES = 'no pool was deep enough until the published end';
const REFUSES = 'the token or its pool refuses purchases: it may limit holdings or trades';
const REFUSES_AT_TIMES = 'the token or its pool refused purchases until the published end';
const TOO_FEW = 'the token brought less than the least that an order accepts';
const MISSING = 'the wallet holds fewer tokens than its orders were to bring';
const REVERTED = 'so many orders in a row were reverted';
const UNTOLD = 'the token does not tell what the wallet holds';
const REFUSED = 'the token cannot be delivered: it refuses it';
const TOO_DEAR =
  'the token cannot be delivered: it needs more gas for it than the 1,000,000 that a transaction may have';
const IN_VAIN = 'the token was delivered and is still in the wallet';

/** What spoils purchases: orders were under way and brought too little, or none was and none is placed any more. */
const spoilt = (tokens: string, ...reasons: string[]): readonly string[] => [
  ended('failed_technical', tokens, TOO_FEW, ...reasons),
  ended('failed_technical', tokens, MISSING, ...reasons),
  ended('failed_liquidity', tokens, REFUSES, ...reasons),
  ended('failed_liquidity', tokens, NO_POOL, ...reasons),
];

/** Tokens that the arena is tried with. */
export const HOSTILE_TOKENS: readonly HostileToken[] = [
  token('switches on a tax of 99 %', 'TaxesEverybody', spoilt('tokens delivered in part')),
  token('taxes whoever buys', 'TaxesBuyers', spoilt('tokens delivered')),
  token(
    'taxes whoever takes elsewhere what they bought',
    'TaxesHolders',
    ended('completed', 'tokens delivered in part'),
  ),
  token('taxes in every other block', 'TaxesAtTimes', [
    // Routers of V2 refuse what brings too little, as no pool that was deep enough would.
    ended('failed_liquidity', 'tokens delivered in part', NO_POOL),
    ended('failed_liquidity', 'tokens delivered', NO_POOL),
    // Some of its looks fell into blocks without the tax, and too few orders.
    ended('failed_liquidity', 'tokens delivered in part', NO_POOL_AT_TIMES),
    ended('failed_liquidity', 'tokens delivered', NO_POOL_AT_TIMES),
    ...['tokens delivered in part', 'tokens delivered'].flatMap((tokens) => [
      ended('failed_liquidity', tokens, REFUSES),
      ended('failed_liquidity', tokens, REFUSES_AT_TIMES),
    ]),
    // All that it bought fell into blocks without the tax, and the delivery into either.
    ended('completed', 'tokens delivered'),
    ended('completed', 'tokens delivered in part'),
    ended('failed_technical', 'tokens delivered in part', TOO_FEW),
    ended('failed_technical', 'tokens delivered', TOO_FEW),
    // Quoted in a block without the tax, and mined in one with it, too often in a row.
    ended('failed_technical', 'tokens delivered in part', REVERTED),
    ended('failed_technical', 'tokens delivered', REVERTED),
  ]),
  token(
    'knows a simulation and taxes what is mined',
    'SeesSimulations',
    [
      ended('failed_technical', 'nothing bought', REVERTED),
      // The pace backs off after each revert.
      ended('failed_technical', 'nothing bought', 'no order could be placed until the published end'),
      ended('failed_technical', 'tokens delivered in part', TOO_FEW),
    ],
    'before',
  ),
  token('rebases upwards', 'RebasesUp', spoilt('tokens delivered')),
  token('rebases downwards', 'RebasesDown', spoilt('tokens delivered in part')),
  token('counts in shares and keeps a unit', 'KeepsOneUnit', ended('completed', 'tokens delivered in part')),
  token('is paused', 'RefusesTransfers', spoilt('tokens held', REFUSED)),
  token('blocks its holders', 'BlocksItsHolders', ended('completed', 'tokens held', REFUSED)),
  token('says yes and moves nothing', 'MovesNothing', spoilt('tokens held', IN_VAIN)),
  // Where its last order was under way already.
  token('says no and moves nothing', 'SaysNo', [
    ...spoilt('tokens held', IN_VAIN),
    ended('completed', 'tokens held', IN_VAIN),
  ]),
  token('answers a transfer with nothing', 'AnswersNothing', UNHARMED, 'before'),
  token('lies in its event', 'LiesInItsEvent', [
    ...spoilt('tokens held', IN_VAIN),
    ...spoilt('tokens delivered in part', IN_VAIN),
  ]),
  // What an order brought is what its pool gave, whatever the event says.
  token('boasts in its event', 'BoastsInItsEvent'),
  token(
    'lets an estimate pass and reverts what is mined',
    'RefusesWhenMined',
    // What reverts costs gas out of the order budget: that, or the patience, is spent first.
    [
      ended('failed_technical', 'tokens held', REVERTED, 'the token reverted its delivery'),
      ended('completed', 'tokens held', 'the token reverted its delivery'),
    ],
  ),
  token('needs more gas than a transfer may have', 'NeedsTooMuchGas', ended('completed', 'tokens held', TOO_DEAR)),
  token('does not tell what anybody has', 'RefusesBalanceOf', spoilt('tokens held', UNTOLD)),
  token('burns the gas of whoever asks what anybody has', 'BurnsGasOfReaders', spoilt('tokens held', UNTOLD)),
  token('answers with a megabyte', 'AnswersTooMuch', spoilt('tokens held', UNTOLD)),
  token('tells that everybody has more than there is', 'OverstatesBalances', [
    ended('completed', 'tokens held', REFUSED),
    ended('failed_liquidity', 'tokens held', NO_POOL, REFUSED),
    ended('failed_liquidity', 'tokens held', REFUSES, REFUSED),
  ]),
  token(
    'tells that no buyer has anything',
    'ReturnsNothing',
    spoilt('tokens held', 'the wallet shows none of the bought tokens'),
  ),
  token('calls back in the midst of a transfer', 'Reenters'),
  token('destroys itself', 'nothing', spoilt('tokens held', UNTOLD)),
  token(
    'destroys itself before its first order',
    'nothing',
    ended('failed_technical', 'nothing bought', MISSING),
    'when paid',
  ),
  token('burns the gas of whoever asks for its symbol', 'BurnsGasForItsSymbol', UNHARMED, 'before'),
  token('burns it once it is paid for', 'BurnsGasForItsSymbol', UNHARMED, 'when paid'),
  token('is called by a hundred thousand letters', 'HasAHugeName', UNHARMED, 'before'),
  token('is called nothing', 'HasNoName', UNHARMED, 'before'),
  token('is called by bytes that are no text', 'HasNoText', UNHARMED, 'before'),
  token('has no decimals', 'HasNoDecimals', UNHARMED, 'before'),
  token('has 77 decimals', 'HasManyDecimals', UNHARMED, 'before'),
];
