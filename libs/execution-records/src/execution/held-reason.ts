/** A refund whose money a reorganisation removed. */
export const ABSENT = 'this money is no longer on the chain';

/** Money that would not pay the gas of its own transfer. */
export const DUST = 'it is too small to pay the network fee of its return';

/** Money whose sender the chain does not prove. */
export const UNPROVEN = 'the chain does not prove who sent it';

/** Money whose recipient would lose it. The error text of `parseRecipient` follows. */
export const REFUSED_RECIPIENT = 'its recipient is refused';

/** A payment that the chain refutes. */
export const PAYER_REFUTED = 'the chain does not show the payment as it was reported';

/** Money that came back after each of its returns. */
export const SENT_BACK = 'it came back each time that it was returned';

/** Tokens in a wallet without HYPE for the gas of their delivery. */
export const NO_GAS = 'the wallet has no HYPE for the gas of the delivery';

/** Money that could not be sent until the job's latest end. */
export const TOO_LATE = 'it could not be sent before the latest end of the job';

/** Money of a transfer that was still pending when the job ended. */
export const NOT_SENT = 'a transfer was still pending when the job ended';

/** Adds a reason to those of an execution's held money, each once. */
export function addReason(before: string | null, reason: string): string {
  const reasons = before?.split('; ') ?? [];
  return [...new Set([...reasons, reason])].join('; ');
}
