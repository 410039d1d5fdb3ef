import { parseRecipient } from '@maker/rules';
import type { Address } from 'viem';
import type { VerifiedExchange } from '../shapes/shapes.ts';
import { deadEndsOf, type OwnDeadEnds } from './dead-ends.ts';
import type { RecipientFacts } from './recipient-facts.ts';

/** An account that delegates to a contract is still a wallet with a key. Source: EIP-7702. */
const DELEGATED = /^0xef0100/i;

/**
 * Whether money may go to an address: not to the token, the treasury, or a contract of an exchange, which keeps it.
 * @param own the job's token; the treasury, where the configuration names it @param exchanges those of the registry
 */
export function judgeRecipient(
  address: Address,
  own: OwnDeadEnds,
  exchanges: readonly VerifiedExchange[],
  { code, factory }: RecipientFacts,
): { problem?: string; isContract: boolean } {
  const deadEnds = deadEndsOf(own, exchanges);
  if (exchanges.some((exchange) => exchange.factory.toLowerCase() === factory?.toLowerCase())) {
    deadEnds.push({ address, what: "an exchange's pool" });
  }
  const recipient = parseRecipient(address, deadEnds);
  const isContract = code !== '0x' && !DELEGATED.test(code);
  return { isContract, ...(!recipient.ok && { problem: recipient.problem }) };
}
