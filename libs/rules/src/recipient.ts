import { hasValidChecksum } from './address-checksum.ts';
import { isSystemAddress } from './system-address.ts';

/** A contract or wallet from which money never comes back to the person it was meant for. */
export interface DeadEnd {
  /** In any case. */
  readonly address: string;
  /** Completes 'This is …', such as "the token's own contract". */
  readonly what: string;
}

/** An address that may receive money, in lower case, or what is wrong with it in a sentence. */
export type Recipient =
  | { readonly ok: true; readonly address: `0x${string}` }
  | { readonly ok: false; readonly problem: string };

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** 16 zero bytes in front: zero, the precompiles, 0x…dEaD. Nobody can find a key for any of them. */
const LOW = /^0x0{32}/;
/** Written to burn tokens, to stand for the coin itself, or to pass actions on to HyperCore. */
const BURNED = /^0xdead0{12}|^0x(?:(?:dead){10}|e{40}|f{40}|3{40})$/;

const NO_KEY = 'Nobody holds the keys of this address: what is sent there is lost';

/** Source: hyperevm § 1. */
const CHAIN_DEAD_ENDS: readonly DeadEnd[] = [{ address: `0x${'55'.repeat(20)}`, what: 'the contract of wrapped HYPE' }];

/**
 * What is wrong with an address that is to receive money, its checksum aside; undefined where nothing is. For pages, which
 * leave the checksum to the service: it takes a hash function that they do not carry.
 * @param deadEnds what the caller knows beside: the token, the treasury, routers, factories, pools
 */
export function recipientProblem(typed: string, deadEnds: readonly DeadEnd[] = []): string | undefined {
  const address = typed.trim().toLowerCase();
  if (!ADDRESS.test(typed.trim())) return 'A wallet address is 0x followed by 40 characters from 0-9 and a-f';
  if (LOW.test(address) || BURNED.test(address) || isSystemAddress(address)) return NO_KEY;
  const known = [...CHAIN_DEAD_ENDS, ...deadEnds].find((one) => one.address.toLowerCase() === address);
  return known && `This is ${known.what}: what is sent there is lost`;
}

/**
 * The one parser of every address to which money goes: return address, release, gas.
 * @param deadEnds what the caller knows beside: the token, the treasury, routers, factories, pools
 */
export function parseRecipient(typed: string, deadEnds: readonly DeadEnd[] = []): Recipient {
  const problem = recipientProblem(typed, deadEnds);
  if (problem !== undefined) return { ok: false, problem };
  const address = typed.trim();
  if (!hasValidChecksum(address)) {
    return { ok: false, problem: 'The capital letters of this address do not match it: copy the address again' };
  }
  return { ok: true, address: address.toLowerCase() as `0x${string}` };
}
