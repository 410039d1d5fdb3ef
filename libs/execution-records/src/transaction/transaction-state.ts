/**
 * The life of a transaction, whole:
 *
 *   planned ──▶ signed ──▶ broadcast ──▶ mined ──▶ final
 *                  └───────────────────────▲  └──▶ broadcast ◀──┘   (its block was reorganised away)
 *
 * planned    chosen, in memory only: a crash here has done nothing, the next tick plans anew
 * signed     nonce reserved by the unique index, bytes and hash saved with majority; nothing has left the process
 * broadcast  a node took the bytes; they are sent again, the same, until they are mined
 * mined      in a block: its gas is paid, whether it succeeded or reverted
 * final      enough blocks stand on it: booked in the ledger. Only a reorganisation deeper than that opens it again, with
 *            entries that take back what was booked
 *
 * Source: design § 5.
 */
export const TRANSACTION_STATES = ['signed', 'broadcast', 'mined', 'final'] as const;

export type TransactionState = (typeof TRANSACTION_STATES)[number];

/** States from which each state may be entered; a write to it names them in its filter. */
export const ENTERED_FROM: Readonly<Record<TransactionState, readonly TransactionState[]>> = {
  signed: [],
  broadcast: ['signed', 'mined'],
  // From signed: the node took it and its answer was lost.
  mined: ['signed', 'broadcast'],
  final: ['mined'],
};

/** States in which a nonce is taken but not used up: what the mempool's limit of 8 counts. */
export const UNCONFIRMED_STATES: readonly TransactionState[] = ['signed', 'broadcast'];

/** States that still need looking after. */
export const OPEN_STATES: readonly TransactionState[] = ['signed', 'broadcast', 'mined'];
