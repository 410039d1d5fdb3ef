import type { DeadEnd } from '@maker/rules';
import type { Address } from 'viem';
import { checksOf, type VerifiedExchange } from '../shapes/shapes.ts';

/** Dead ends of our own: the job's token, and the treasury where the process knows it. */
export interface OwnDeadEnds {
  readonly token?: Address;
  readonly treasury: Address | undefined;
}

/** Addresses that keep all money they receive: a job's token, the treasury, the contracts of exchanges. For `parseRecipient` of rules. */
export function deadEndsOf({ token, treasury }: OwnDeadEnds, exchanges: readonly VerifiedExchange[]): DeadEnd[] {
  return [
    ...(token ? [{ address: token, what: "the token's own contract" }] : []),
    ...(treasury ? [{ address: treasury, what: "the service's own wallet" }] : []),
    ...exchanges.flatMap(contractsOf),
  ];
}

function contractsOf(exchange: VerifiedExchange): readonly DeadEnd[] {
  return [
    ...checksOf(exchange)
      .contractsOf(exchange)
      .map(({ address }) => ({ address, what: "an exchange's contract" })),
    { address: exchange.wrappedNative, what: 'the contract of wrapped HYPE' },
  ];
}
