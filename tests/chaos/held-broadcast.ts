import { routersOf, type StackDescription } from '@maker/local-stack';
import { type Address, getAddress, type Hash, keccak256 } from 'viem';
import type { Broadcast, BroadcastFate, Intercept } from './intercepted-rpc.ts';

/** The purpose of a wallet's transaction, by its recipient. */
export type Purpose = 'fee' | 'order' | 'delivery' | 'return';

/** @param token that the job buys */
export function purposeOf({ to }: Broadcast, { treasury, contracts }: StackDescription, token: Address): Purpose {
  const recipient = to && getAddress(to);
  if (recipient === getAddress(treasury)) return 'fee';
  if (routersOf(contracts).some((router) => getAddress(router) === recipient)) return 'order';
  return recipient === getAddress(token) ? 'delivery' : 'return';
}

/** Holds back the first broadcast of a kind, between its signer and the node. */
export class HeldBroadcast {
  private letGo: (fate: BroadcastFate) => void = () => undefined;
  private announce: (broadcast: Broadcast) => void = () => undefined;
  private taken = false;
  private readonly fate = new Promise<BroadcastFate>((resolve) => {
    this.letGo = resolve;
  });

  /** Resolves when a broadcast is held. */
  readonly arrived = new Promise<Broadcast>((resolve) => {
    this.announce = resolve;
  });

  /** @param isWanted selects the broadcast */
  constructor(private readonly isWanted: (broadcast: Broadcast) => boolean = () => true) {}

  /** @param others handles all broadcasts that are not held */
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
