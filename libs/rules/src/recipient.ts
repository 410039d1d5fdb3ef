import { type ParsedAddress, parseAddress } from './address.ts';
import { isSystemAddress } from './system-address.ts';

/** A contract or wallet whose received money never reaches the intended person. */
export interface DeadEnd {
  /** Address in upper, lower or mixed case. */
  readonly address: string;
  /** Completes 'This is …', such as "the token's own contract". */
  readonly what: string;
}

/** An address that may receive money, in lower case, or its problem in a sentence. */
export type Recipient = ParsedAddress;

const ADDRESS = /^0x[0-9a-fA-F]{40}$/;

/** 16 leading zero bytes: zero, the precompiles, 0x…dEaD. No one can find a key for any of them. */
const LOW = /^0x0{32}/;
/** Addresses for burning tokens, placeholders for the coin itself, or for sending actions to HyperCore. */
const BURNED = /^0xdead0{12}|^0x(?:(?:dead){10}|e{40}|f{40}|3{40})$/;

const NO_KEY = 'This address has no owner: anything sent to it is lost';

/** Source: hyperevm § 1. */
const CHAIN_DEAD_ENDS: readonly DeadEnd[] = [{ address: `0x${'55'.repeat(20)}`, what: 'the contract of wrapped HYPE' }];

/**
 * The only parser of addresses that receive money: treasury, return address, release, gas. Pages use it too.
 * @param deadEnds further ones that the caller knows: the token, the treasury, routers, factories, pools
 */
export function parseRecipient(typed: string, deadEnds: readonly DeadEnd[] = []): Recipient {
  const problem = recipientProblem(typed, deadEnds);
  return problem === undefined ? parseAddress(typed) : { ok: false, problem };
}

function recipientProblem(typed: string, deadEnds: readonly DeadEnd[]): string | undefined {
  const address = typed.trim().toLowerCase();
  if (!ADDRESS.test(typed.trim())) return 'A wallet address is 0x followed by 40 characters from 0-9 and a-f';
  if (LOW.test(address) || BURNED.test(address) || isSystemAddress(address)) return NO_KEY;
  const known = [...CHAIN_DEAD_ENDS, ...deadEnds].find((one) => one.address.toLowerCase() === address);
  return known && `This is ${known.what}: anything sent to it is lost`;
}
