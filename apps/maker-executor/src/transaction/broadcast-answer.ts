/**
 * What a node's refusal of signed bytes means for what to do next. Source: design § 5.
 * `known`: it has them already, which is success. `nonce_used`: that nonce is mined, so a receipt decides.
 * `underpriced`: dearer bytes are needed, or the base fee must fall. `unfunded`: the wallet holds less than the
 * transaction moves. `unavailable`: nothing is known, the same bytes are sent again. `refused`: anything else.
 */
export const BROADCAST_ANSWERS = ['known', 'nonce_used', 'underpriced', 'unfunded', 'unavailable', 'refused'] as const;

/** See {@link BROADCAST_ANSWERS}. */
export type BroadcastAnswer = (typeof BROADCAST_ANSWERS)[number];

// In this order: 'replacement transaction underpriced' comes from a node that holds other bytes at the nonce.
const WORDS: readonly (readonly [BroadcastAnswer, RegExp])[] = [
  ['known', /already known|already imported|known transaction|already in the (mem)?pool|already exists/i],
  ['nonce_used', /nonce (is )?too low|nonce has already been used|invalid nonce|old nonce/i],
  [
    'underpriced',
    /underpriced|less than (the )?block base fee|fee cap less|fee too low|below the minimum|feecaptoolow/i,
  ],
  ['unfunded', /insufficient funds|insufficient balance|exceeds (the )?balance/i],
];

/** JSON-RPC codes by which a node says that it cannot answer now: internal error, resource unavailable, limit exceeded. */
const UNAVAILABLE_CODES = new Set([-32603, -32002, -32005]);

/** Classifies what `eth_sendRawTransaction` failed with. */
export function classifyBroadcastError(error: unknown): BroadcastAnswer {
  const chain = causes(error);
  const text = chain.map((link) => [link.message, link.details].filter(Boolean).join(' ')).join(' ');
  for (const [answer, words] of WORDS) if (words.test(text)) return answer;
  const code = chain.find((link) => typeof link.code === 'number')?.code;
  return code === undefined || UNAVAILABLE_CODES.has(code) ? 'unavailable' : 'refused';
}

interface ErrorLink {
  readonly message: string;
  readonly details?: string;
  readonly code?: number;
  readonly cause?: unknown;
}

function causes(error: unknown): readonly ErrorLink[] {
  const links: ErrorLink[] = [];
  for (let current = error; current instanceof Error && links.length < 10; current = current.cause) {
    links.push(current as ErrorLink);
  }
  return links;
}
