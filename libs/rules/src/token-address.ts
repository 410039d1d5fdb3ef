/** Length of a token address with its 0x prefix. Source: specification § 9. */
export const TOKEN_ADDRESS_LENGTH = 42;

/** Shorter input gives the message for missing input. Source: specification § 5. */
const PLAUSIBLE_LENGTH = 20;

/** The two messages of the token step for input that never reaches the server. Source: specification § 8. */
export const TOKEN_ADDRESS_MESSAGES = {
  missing: 'Please enter a valid token address',
  malformed: 'Invalid token address format. Must be 42 characters starting with 0x',
} as const;

/**
 * The problem with a typed token address; undefined if the page may send it to the server.
 * Source: specification § 5 (it checks prefix and length only; the server parses the hexadecimal digits).
 */
export function tokenAddressProblem(input: string): string | undefined {
  const address = input.trim();
  if (address.length < PLAUSIBLE_LENGTH) return TOKEN_ADDRESS_MESSAGES.missing;
  if (!address.startsWith('0x') || address.length !== TOKEN_ADDRESS_LENGTH) return TOKEN_ADDRESS_MESSAGES.malformed;
  return undefined;
}

/** Shortens an address for display: first 5 characters, '...', last 2. Source: specification § 5. */
export function shortenAddress(address: string): string {
  return `${address.slice(0, 5)}...${address.slice(-2)}`;
}
