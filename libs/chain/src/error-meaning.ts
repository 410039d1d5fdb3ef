import { HttpRequestError, TimeoutError } from 'viem';

/**
 * The meaning of an error in place of an answer. Nodes use different codes and words, and HyperEVM's nodes send -32603 for nearly
 * every error. Words therefore take precedence over codes. Source: hyperevm § 1.2.
 *
 * - Answers, which are no fault of the endpoint: `not_there` (a block above the head, or no longer kept: Ethereum's null),
 *   `reverted` (the requested execution failed), `known`, `nonce_used`, `underpriced`, `unfunded` (results of signed bytes), `too_large`
 *   (more gas or bytes than one call may have), `unsupported` (the node lacks the method, or these parameters), `refused` (any other
 *   rule; the node would refuse the same request again).
 * - No answers: `limited` (too many requests), `unclear` (-32603 alone: any fault, even a brief one),
 *   `passing` (unreachable, or the node asks for a retry), `broken` (no such server, no key, no JSON-RPC).
 */
export type ErrorMeaning =
  | 'not_there'
  | 'reverted'
  | 'known'
  | 'nonce_used'
  | 'underpriced'
  | 'unfunded'
  | 'too_large'
  | 'unsupported'
  | 'refused'
  | 'limited'
  | 'unclear'
  | 'passing'
  | 'broken';

/** Codes with the same meaning at every node: EIP-1474, JSON-RPC 2.0, and the codes that providers use in their place. */
const DECIDING_CODES: ReadonlyMap<unknown, ErrorMeaning> = new Map<unknown, ErrorMeaning>([
  [3, 'reverted'],
  [-32_001, 'not_there'],
  [-32_004, 'unsupported'],
  [-32_601, 'unsupported'],
  ['NO_DEPLOYLESS_CALLS', 'unsupported'],
  [-32_005, 'limited'],
  [-32_007, 'limited'],
  [429, 'limited'],
  ['TOO_MANY_REQUESTS', 'limited'],
  ['MALFORMED_ANSWER', 'broken'],
]);

/** In this order: a revert may quote any words, and an underpriced replacement also mentions a known transaction. */
const WORDS: readonly (readonly [ErrorMeaning, RegExp])[] = [
  ['reverted', /\brevert(ed)?\b|invalid\s?(fe\s?)?(opcode|jump)|bad jump|stack\s?(under|over)flow/i],
  ['known', /already (known|imported|exists|in the (mem)?pool)|known transaction/i],
  ['nonce_used', /nonce (is )?too low|nonce has already been used|invalid nonce|old nonce/i],
  [
    'underpriced',
    /underpriced|less than (the )?block base fee|fee cap less|fee too low|below the minimum|feecaptoolow/i,
  ],
  ['unfunded', /insufficient (funds|balance)|exceeds (the )?balance/i],
  ['refused', /intrinsic gas|exceeds block gas limit|invalid (sender|signature|chain)/i],
  [
    'not_there',
    /invalid block (height|number)|(block|header|height|receipt|state|history)\b.{0,80}\b(not found|not (yet )?available|unavailable|pruned|missing|out of range)|(unknown|missing|pruned|future) (block|header|height|trie node|state)/i,
  ],
  ['limited', /rate.?limit|too many requests|quota/i],
  [
    'too_large',
    /out\s?of\s?gas|OOG\b|gas (limit|required|allowance|cap).{0,40}exceed|exceeds.{0,40}gas|too (large|big|long)|size\s?limit|size exceed/i,
  ],
  // A nonce gap, or a node that has not received the earlier transactions yet.
  ['unclear', /nonce too high/i],
  ['passing', /try again|timed? ?out|temporar|overload|busy|syncing/i],
];

/** Codes that decide where no words match. Any other code means a rule of the node: `refused`. */
const CODES: ReadonlyMap<unknown, ErrorMeaning> = new Map<unknown, ErrorMeaning>([
  [-32_603, 'unclear'],
  [-32_002, 'passing'],
  [-32_600, 'unsupported'],
  [-32_602, 'unsupported'],
  [-32_700, 'broken'],
]);

const STATUSES: ReadonlyMap<unknown, ErrorMeaning> = new Map<unknown, ErrorMeaning>([
  [400, 'refused'],
  [413, 'too_large'],
  [422, 'refused'],
  [429, 'limited'],
  ...[401, 403, 404, 405, 410, 501].map((status) => [status, 'broken'] as const),
]);

/** Returns the meaning of a request's error, with or without viem's wrappers. */
export function meaningOf(error: unknown): ErrorMeaning {
  const links = linksOf(error);
  const codes = links.map(({ code }) => code);
  const deciding = codes.find((code) => DECIDING_CODES.has(code));
  if (deciding !== undefined) return DECIDING_CODES.get(deciding) as ErrorMeaning;
  if (links.some((link) => link instanceof TimeoutError)) return 'passing';
  // The innermost: viem's wrapper has its own code where it does not know the node's code.
  const code = codes.findLast((own) => typeof own === 'number');
  if (code === undefined)
    return STATUSES.get(links.findLast(({ status }) => status !== undefined)?.status) ?? 'passing';
  const text = links.map(wordsOf).join(' ');
  return WORDS.find(([, words]) => words.test(text))?.[0] ?? CODES.get(code) ?? 'refused';
}

/** Whether the endpoint answered the question. */
export function isAnswer(meaning: ErrorMeaning): boolean {
  return !['limited', 'unclear', 'passing', 'broken'].includes(meaning);
}

/** Whether another form of the request may succeed: a smaller one, or another method. */
export function mayGoOtherwise(meaning: ErrorMeaning): boolean {
  return ['reverted', 'too_large', 'unsupported', 'refused', 'unclear'].includes(meaning);
}

/** Methods whose failure may lie in the content of the request. */
const DEPENDS_ON_CONTENT: readonly string[] = ['eth_call', 'eth_estimateGas', 'eth_sendRawTransaction'];

/** Whether a failure counts against the endpoint. -32603 alone does not, where the request may be the cause. */
export function speaksAgainstEndpoint(meaning: ErrorMeaning, method: string): boolean {
  if (meaning === 'unclear') return !DEPENDS_ON_CONTENT.includes(method);
  return meaning === 'passing' || meaning === 'broken';
}

/** One error of a chain of causes, with the fields that viem and nodes add. */
interface ErrorLink extends Error {
  readonly code?: unknown;
  readonly status?: unknown;
  readonly details?: unknown;
}

/** An error and its causes, from the outermost to the innermost. */
export function linksOf(error: unknown): readonly ErrorLink[] {
  const links: ErrorLink[] = [];
  for (let link = error; link instanceof Error && links.length < 10; link = link.cause) links.push(link as ErrorLink);
  return links;
}

/** The node's own words: viem keeps them in `details`, and puts its own sentences into `message`. */
function wordsOf(link: ErrorLink): string {
  if (link instanceof HttpRequestError) return '';
  return typeof link.details === 'string' ? link.details : link.message;
}
