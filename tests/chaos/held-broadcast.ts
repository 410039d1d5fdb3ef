import { routersOf, type StackDescription } from '@maker/local-stack';
import { type Address, getAddress, type Hash, keccak256 } from 'viem';
import type { Broadcast, BroadcastFate, Intercept } from './intercepted-rpc.ts';

/** What a job's wallet sends, as its recipient tells. */
export type Purpose = 'fee' | 'order' | 'delivery' | 'return';

/** @param token that the job buys */
export function purposeOf({ to }: Broadcast, { treasury, contracts }: StackDescription, token: Address): Purpose {
  const recipient = to && getAddress(to);
  if (recipient === getAddress(treasury)) return 'fee';
  if (routersOf(contracts).some((router) => getAddress(router) === recipient)) return 'order';
  return recipient === getAddress(token) ? 'delivery' : 'return';
}

/** Holds back the first broadcast of a kind, on its way between the one who signed it and the node. */
export class HeldBroadcast {
  private letGo: (fate: BroadcastFate) => void = () => undefined;
  private announce: (broadcast: Broadcast) => void = () => undefined;
  private taken = false;
  private readonly fate = new Promise<BroadcastFate>((resolve) => {
    this.letGo = resolve;
  });

  /** Resolves when it is held. */
  readonly arrived = new Promise<Broadcast>((resolve) => {
    this.announce = resolve;
  });

  /** @param isWanted which may be the one */
  constructor(private readonly isWanted: (broadcast: Broadcast) => boolean = () => true) {}

  /** @param others what becomes of all that is not held */
  intercept(broadcast: Broadcast, others: Intercept): ReturnType<Intercept> {
    if (this.taken || !this.isWanted(broadcast)) return others(broadcast);
    this.taken = true;
    this.announce(broadcast);
    return this.fate;
  }

  release(fate: BroadcastFate = 'pass'): void {
    this.letGo(fate);
  }
}

/** The transaction's hash. */
export function hashOf({ rawTransaction }: Broadcast): Hash {
  return keccak256(rawTransaction);
}
