import { EXCHANGES, type Exchange } from '@maker/chain/venues';
import type { Address, Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';

/** Keys of the job's wallet and of a stranger. */
export const WALLET_KEY: Hex = `0x${'11'.repeat(32)}`;
export const OTHER_KEY: Hex = `0x${'22'.repeat(32)}`;

export const WALLET = privateKeyToAccount(WALLET_KEY).address.toLowerCase() as Address;
export const PAYER: Address = `0x${'aa'.repeat(20)}`;
export const STRANGER: Address = `0x${'bb'.repeat(20)}`;
export const TREASURY: Address = `0x${'cc'.repeat(20)}`;
export const TOKEN: Address = `0x${'dd'.repeat(20)}`;
/** Belongs to the executor: its own contract, or an accomplice. */
export const ACCOMPLICE: Address = `0x${'0e'.repeat(20)}`;
/** The pool that the factory names. */
export const POOL: Address = `0x${'e2'.repeat(20)}`;

const [camelot, ...others] = EXCHANGES[999] ?? [];
if (!camelot) throw new Error('mainnet has exchanges');

/** The exchanges of the build, and a plain Uniswap V2, which mainnet does not have. */
export const VENUES: readonly Exchange[] = [
  camelot,
  ...others,
  {
    id: 'pairs-v2',
    kind: 'uniswap-v2',
    factory: `0x${'f1'.repeat(20)}`,
    router: `0x${'f2'.repeat(20)}`,
    wrappedNative: camelot.wrappedNative,
  },
];

/** The default exchange of jobs, of the Camelot shape. */
export const VENUE: Exchange = camelot;
export const ROUTER = lower(camelot.router);
export const WRAPPED = lower(camelot.wrappedNative);

export function lower(address: Address): Address {
  return address.toLowerCase() as Address;
}
