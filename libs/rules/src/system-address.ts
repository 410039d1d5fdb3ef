/** Sender of HYPE that HyperCore credits on HyperEVM; HYPE sent to it goes to HyperCore. Source: hyperevm § 1.1. */
const HYPE_SYSTEM_ADDRESS = `0x${'22'.repeat(20)}`;

/** The same for every other token: 0x20, then the token's index on HyperCore. Source: hyperevm § 1.2. */
const TOKEN_SYSTEM_ADDRESS = /^0x20(00){11}[0-9a-f]{16}$/;

/**
 * Whether an address is one of the chain's own, between HyperCore and HyperEVM. It has no key: it is never a payer, and
 * money sent to it never reaches one. @param address in upper, lower or mixed case
 */
export function isSystemAddress(address: string): boolean {
  const lower = address.toLowerCase();
  return lower === HYPE_SYSTEM_ADDRESS || TOKEN_SYSTEM_ADDRESS.test(lower);
}
