/**
 * The states of a transaction:
 *
 *   planned ──▶ signed ──▶ broadcast ──▶ mined ──▶ final
 *                  └───────────────────────▲  └──▶ broadcast ◀──┘   (a reorganisation removed its block)
 *
 * planned    in memory only: a crash here has no effect, the next tick plans again
 * signed     the unique index reserves the nonce, bytes and hash are saved with majority; nothing has left the process
 * broadcast  a node accepted the bytes; the executor sends the same bytes again until they are mined
 * mined      in a block: its gas is paid, whether it succeeded or reverted
 * final      it has enough confirmations: booked in the ledger. Only a deeper reorganisation opens it again, with entries that
 *            reverse the booking
 *
 * Source: design § 5.
 */
export const TRANSACTION_STATES = ['signed', 'broadcast', 'mined', 'final'] as const;

export type TransactionState = (typeof TRANSACTION_STATES)[number];

/** Allowed previous states of each state; a write filters by them. */
export const ENTERED_FROM: Readonly<Record<TransactionState, readonly TransactionState[]>> = {
  signed: [],
  broadcast: ['signed', 'mined'],
  // From signed: the node accepted it, but its answer was lost.
  mined: ['signed', 'broadcast'],
  final: ['mined'],
};

/** States in which a nonce is reserved but not used: the mempool's limit of 8 counts them. */
export const UNCONFIRMED_STATES: readonly TransactionState[] = ['signed', 'broadcast'];

/** States before the final one. */
export const OPEN_STATES: readonly TransactionState[] = ['signed', 'broadcast', 'mined'];
