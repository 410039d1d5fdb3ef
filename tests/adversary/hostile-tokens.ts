import type { HostileContract } from '@maker/local-stack';
import { type End, UNHARMED } from './ends.ts';

/** When a token turns hostile: before its validation, after the payment, or after the first order. */
export type Moment = 'before' | 'when paid' | 'while trading';

/** A hostile token. The attack costs its deployer a deployment or an upgrade: less than a cent. */
export interface HostileToken {
  readonly does: string;
  readonly becomes: HostileContract | 'nothing';
  readonly moment: Moment;
  /** The end of a job with this attacker only. */
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

const NO_POOL = 'no pool had enough liquidity for too long';
const NO_POOL_AT_TIMES = 'no pool had enough liquidity until the published end';
const REFUSES = 'the token or its pool refuses purchases: it may limit holdings or trades';
const REFUSES_AT_TIMES = 'the token or its pool refused purchases until the published end';
const TOO_FEW = 'an order brought fewer tokens than its minimum';
const MISSING = 'the wallet holds fewer tokens than its orders should have bought';
const REVERTED = 'so many orders in a row failed';
const UNREADABLE = 'the token does not report the balance of the wallet';
const REFUSED = 'the token cannot be delivered: it refuses it';
const TOO_DEAR =
  'the token cannot be delivered: it needs more gas for it than the 1,000,000 that a transaction may have';
const IN_VAIN = 'the token was delivered and is still in the wallet';

/** Ends of a job with spoilt purchases: orders under way brought too little, or no order is placed any more. */
const spoilt = (tokens: string, ...reasons: string[]): readonly string[] => [
  ended('failed_technical', tokens, TOO_FEW, ...reasons),
  ended('failed_technical', tokens, MISSING, ...reasons),
  ended('failed_liquidity', tokens, REFUSES, ...reasons),
  ended('failed_liquidity', tokens, NO_POOL, ...reasons),
];

/** Tokens of the arena. */
export const HOSTILE_TOKENS: readonly HostileToken[] = [
  token('switches on a tax of 99 %', 'TaxesEverybody', spoilt('tokens delivered in part')),
  token('taxes buyers', 'TaxesBuyers', spoilt('tokens delivered')),
  token('taxes transfers of bought tokens', 'TaxesHolders', ended('completed', 'tokens delivered in part')),
  token('taxes in every other block', 'TaxesAtTimes', [
    // Routers of V2 refuse an order that brings too little, as if no pool were deep enough.
    ended('failed_liquidity', 'tokens delivered in part', NO_POOL),
    ended('failed_liquidity', 'tokens delivered', NO_POOL),
    // Some of its checks and too few orders were in blocks without the tax.
    ended('failed_liquidity', 'tokens delivered in part', NO_POOL_AT_TIMES),
    ended('failed_liquidity', 'tokens delivered', NO_POOL_AT_TIMES),
    ...['tokens delivered in part', 'tokens delivered'].flatMap((tokens) => [
      ended('failed_liquidity', tokens, REFUSES),
      ended('failed_liquidity', tokens, REFUSES_AT_TIMES),
    ]),
    // All purchases were in blocks without the tax, and the delivery in either kind.
    ended('completed', 'tokens delivered'),
    ended('completed', 'tokens delivered in part'),
    ended('failed_technical', 'tokens delivered in part', TOO_FEW),
    ended('failed_technical', 'tokens delivered', TOO_FEW),
    // Several orders in a row were quoted in a block without the tax and mined in one with it.
    ended('failed_technical', 'tokens delivered in part', REVERTED),
    ended('failed_technical', 'tokens delivered', REVERTED),
  ]),
  token(
    'detects a simulation and taxes mined transfers',
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
  // If its last order was already under way.
  token('says no and moves nothing', 'SaysNo', [
    ...spoilt('tokens held', IN_VAIN),
    ended('completed', 'tokens held', IN_VAIN),
  ]),
  token('answers a transfer with nothing', 'AnswersNothing', UNHARMED, 'before'),
  token('lies in its event', 'LiesInItsEvent', [
    ...spoilt('tokens held', IN_VAIN),
    ...spoilt('tokens delivered in part', IN_VAIN),
  ]),
  // The product counts what the pool paid, not what the event says.
  token('overstates the amount in its event', 'BoastsInItsEvent'),
  token(
    'accepts an estimate and reverts when mined',
    'RefusesWhenMined',
    // Reverts cost gas of the order budget: it ends first, or the time limit does.
    [
      ended('failed_technical', 'tokens held', REVERTED, 'the token reverted its delivery'),
      ended('completed', 'tokens held', 'the token reverted its delivery'),
    ],
  ),
  token('needs more gas than a transfer may have', 'NeedsTooMuchGas', ended('completed', 'tokens held', TOO_DEAR)),
  token('refuses balance reads', 'RefusesBalanceOf', spoilt('tokens held', UNREADABLE)),
  token('burns the gas of balance reads', 'BurnsGasOfReaders', spoilt('tokens held', UNREADABLE)),
  token('answers with a megabyte', 'AnswersTooMuch', spoilt('tokens held', UNREADABLE)),
  token('overstates every balance', 'OverstatesBalances', [
    ended('completed', 'tokens held', REFUSED),
    ended('failed_liquidity', 'tokens held', NO_POOL, REFUSED),
    ended('failed_liquidity', 'tokens held', REFUSES, REFUSED),
  ]),
  token(
    'shows no balance to buyers',
    'ReturnsNothing',
    spoilt('tokens held', 'the wallet shows none of the bought tokens'),
  ),
  token('calls back in the midst of a transfer', 'Reenters'),
  token('destroys itself', 'nothing', spoilt('tokens held', UNREADABLE)),
  token(
    'destroys itself before its first order',
    'nothing',
    ended('failed_technical', 'nothing bought', MISSING),
    'when paid',
  ),
  token('burns the gas of symbol reads', 'BurnsGasForItsSymbol', UNHARMED, 'before'),
  token('burns it once it is paid for', 'BurnsGasForItsSymbol', UNHARMED, 'when paid'),
  token('is called by a hundred thousand letters', 'HasAHugeName', UNHARMED, 'before'),
  token('is called nothing', 'HasNoName', UNHARMED, 'before'),
  token('is called by bytes that are no text', 'HasNoText', UNHARMED, 'before'),
  token('has no decimals', 'HasNoDecimals', UNHARMED, 'before'),
  token('has 77 decimals', 'HasManyDecimals', UNHARMED, 'before'),
];
