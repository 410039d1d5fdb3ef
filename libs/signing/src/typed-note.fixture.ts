/** Typed data of a test (EIP-712). */
export const NOTE = {
  domain: { name: 'a test', chainId: 999 },
  types: { Note: [{ name: 'text', type: 'string' }] },
  primaryType: 'Note',
  message: { text: 'hello' },
} as const;
