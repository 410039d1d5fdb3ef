import type { HostileContract } from '@maker/local-stack';

/** When a token becomes another: before anybody looks at it, once it is paid for, or after its first order. */
export type Moment = 'before' | 'when paid' | 'while trading';

/** A token that means harm. The attack costs its deployer a deployment or an upgrade: less than a cent. */
export interface HostileToken {
  readonly does: string;
  readonly becomes: HostileContract | 'nothing';
  readonly moment: Moment;
}

const token = (does: string, becomes: HostileToken['becomes'], moment: Moment = 'while trading'): HostileToken => ({
  does,
  becomes,
  moment,
});

/** Tokens that the arena is tried with. */
export const HOSTILE_TOKENS: readonly HostileToken[] = [
  token('switches on a tax of 99 %', 'TaxesEverybody'),
  token('taxes whoever buys', 'TaxesBuyers'),
  token('taxes whoever takes elsewhere what they bought', 'TaxesHolders'),
  token('taxes in every other block', 'TaxesAtTimes'),
  token('knows a simulation and taxes what is mined', 'SeesSimulations', 'before'),
  token('rebases upwards', 'RebasesUp'),
  token('rebases downwards', 'RebasesDown'),
  token('counts in shares and keeps a unit', 'KeepsOneUnit'),
  token('is paused', 'RefusesTransfers'),
  token('blocks its holders', 'BlocksItsHolders'),
  token('says yes and moves nothing', 'MovesNothing'),
  token('says no and moves nothing', 'SaysNo'),
  token('answers a transfer with nothing', 'AnswersNothing', 'before'),
  token('lies in its event', 'LiesInItsEvent'),
  token('boasts in its event', 'BoastsInItsEvent'),
  token('lets an estimate pass and reverts what is mined', 'RefusesWhenMined'),
  token('needs more gas than a transfer may have', 'NeedsTooMuchGas'),
  token('does not tell what anybody has', 'RefusesToTellBalances'),
  token('burns the gas of whoever asks what anybody has', 'BurnsGasOfReaders'),
  token('answers with a megabyte', 'AnswersTooMuch'),
  token('tells that everybody has more than there is', 'TellsTooMuch'),
  token('tells that no buyer has anything', 'TellsNothing'),
  token('calls back in the midst of a transfer', 'Reenters'),
  token('destroys itself', 'nothing'),
  token('destroys itself before its first order', 'nothing', 'when paid'),
  token('burns the gas of whoever asks for its symbol', 'BurnsGasForItsSymbol', 'before'),
  token('burns it once it is paid for', 'BurnsGasForItsSymbol', 'when paid'),
  token('is called by a hundred thousand letters', 'HasAHugeName', 'before'),
  token('is called nothing', 'HasNoName', 'before'),
  token('is called by bytes that are no text', 'HasNoText', 'before'),
  token('has no decimals', 'HasNoDecimals', 'before'),
  token('has 77 decimals', 'HasManyDecimals', 'before'),
];
