/** Why money stays that nobody is known for. */
export const NOBODY_KNOWN = 'nobody is known to whom it could be returned';

/** Why a refund is not sent whose money a reorganisation took back. */
export const ABSENT = 'the chain does not show this money any more';

/** Why money stays that its own transfer would use up. */
export const DUST = 'it is too small to pay the gas of its own return';

/** Why money stays of which the chain does not show who sent it. */
export const UNPROVEN = 'the chain does not prove who sent it';

/** Why money stays whose recipient would lose it; the problem follows, in a sentence of the parser of recipients. */
export const REFUSED_RECIPIENT = 'its recipient is refused';

/** Why a payment stays that the chain refutes. */
export const PAYER_REFUTED = 'the chain does not show the payment as it was reported';

/** Why money stays that came again after each of its returns. */
export const SENT_BACK = 'it came back each time that it was returned';

/** Why tokens stay whose delivery nothing in the wallet pays for. */
export const NO_GAS = 'the wallet has no HYPE for the gas of the delivery';

/** Why money stays that waited for something until the job's time was over. */
export const TOO_LATE = 'it could not be sent before the latest end that was published';

/** Why money stays that was under way at a job's end and came to nothing. */
export const NOT_SENT = 'what was under way when the job ended was not carried out';

/** The reasons of an execution's held money with one more, each once. */
export function addReason(before: string | null, reason: string): string {
  const reasons = before?.split('; ') ?? [];
  return [...new Set([...reasons, reason])].join('; ');
}
