import type { DeadEnd } from '@maker/rules';
import type { Address } from 'viem';
import type { VerifiedExchange } from './shapes/shapes.ts';

/** Contracts that keep what they receive: a job's token and those of exchanges. For `parseRecipient` of rules. */
export function deadEndsOf(tokenAddress: Address, exchanges: readonly VerifiedExchange[]): DeadEnd[] {
  return [{ address: tokenAddress, what: "the token's own contract" }, ...exchanges.flatMap(contractsOf)];
}

function contractsOf(exchange: VerifiedExchange): readonly DeadEnd[] {
  const own = [exchange.factory, exchange.router, ...('quoter' in exchange ? [exchange.quoter] : [])];
  return [
    ...own.map((address) => ({ address, what: "an exchange's contract" })),
    { address: exchange.wrappedNative, what: 'the contract of wrapped HYPE' },
  ];
}
