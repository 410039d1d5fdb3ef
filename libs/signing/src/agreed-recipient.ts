import type { KeyObject } from 'node:crypto';
import type { SignedCommand, SignedTerms } from '@maker/contracts';
import { type Address, getAddress, isAddressEqual } from 'viem';
import { AgreedTerms } from './agreed-terms.ts';
import { CommandRefused, checkSignatures } from './check-command.ts';

/** Held money without a known recipient. */
export const NO_RECIPIENT = 'no return address is known';

/** Money whose recipient or terms differ from what the job service signed, or from what operators signed. The difference follows. */
export const NOT_AGREED = 'it differs from the agreement';

/** Whose signatures decide about recipients. It comes from the configuration, never from a database or a message. */
export interface RecipientTrust {
  readonly chainId: number;
  /** Addresses of the keys with which the job service signs agreements. */
  readonly agreementSigners: readonly Address[];
  /** Public keys of the operators by name. */
  readonly operatorKeys: ReadonlyMap<string, KeyObject>;
}

/** The part of an execution that names a recipient, with the signatures that prove it. */
export interface RecipientClaim {
  /** Job id. */
  readonly id: string;
  readonly walletAddress: Address;
  readonly returnAddress: Address | null;
  readonly terms?: SignedTerms;
  /** Present if the visitor named no return address. */
  readonly payerClaim?: { readonly isProven: boolean };
  /** The operators' command that last released held money. */
  readonly release?: SignedCommand;
  /** Absent if the job was never active. */
  readonly activatedAt?: Date;
}

/** Why money stays in the wallet. */
export interface NoRecipient {
  readonly holdReason: string;
}

/** Operators who must sign that money goes to an address that is not the agreed one. */
export const SIGNERS_TO_REDIRECT = 2;

/**
 * An address that may receive a job's money. Only these functions make one, and each verifies signatures or the chain's proof now: a user
 * of the database can change an address there, but cannot sign for it. Source: docs/adr/0142.
 */
export class AgreedRecipient {
  private constructor(readonly address: Address) {}

  /** The recipient of tokens and unspent HYPE, if signatures agree to the address on record. */
  static ofReturn(claim: RecipientClaim, trust: RecipientTrust): AgreedRecipient | NoRecipient {
    const { returnAddress } = claim;
    if (returnAddress === null) return { holdReason: NO_RECIPIENT };
    if (isReleasedTo(claim, returnAddress, trust)) return new AgreedRecipient(returnAddress);
    return AgreedRecipient.ofAgreed(returnAddress, agreedAddress(claim, trust));
  }

  /** The recipient of a refund that goes to the return address of the visitor: nobody but the visitor may name it. */
  static ofRefund(claim: RecipientClaim, to: Address, trust: RecipientTrust): AgreedRecipient | NoRecipient {
    const terms = termsOf(claim, trust);
    if ('holdReason' in terms) return terms;
    return AgreedRecipient.ofAgreed(to, terms.returnAddress ?? { holdReason: NO_RECIPIENT });
  }

  /** The sender of deposits, after the chain proved the transfers. */
  static ofSender(to: Address, verdict: 'proven'): AgreedRecipient {
    if (verdict !== 'proven') throw new Error(`The chain does not prove the sender ${to}`);
    return new AgreedRecipient(to);
  }

  private static ofAgreed(recorded: Address, agreed: Address | NoRecipient): AgreedRecipient | NoRecipient {
    if (typeof agreed !== 'string') return agreed;
    if (isAddressEqual(recorded, agreed)) return new AgreedRecipient(recorded);
    return { holdReason: `${NOT_AGREED}: its recipient is not the agreed one` };
  }
}

/** The address to which the signatures send a job's money: the one that the visitor named, or the payer that the chain proved. */
export function agreedAddress(claim: RecipientClaim, trust: RecipientTrust): Address | NoRecipient {
  const terms = termsOf(claim, trust);
  if ('holdReason' in terms) return terms;
  const payer = claim.payerClaim?.isProven ? terms.activation?.payer : null;
  const address = terms.returnAddress ?? payer;
  return address ? getAddress(address) : { holdReason: NO_RECIPIENT };
}

/** Latest time of the payment, ms of chain time; 0 if the signatures do not agree to any, so that no fee is taken. */
export function agreedDeadline(claim: RecipientClaim, trust: RecipientTrust): number {
  const terms = termsOf(claim, trust);
  return 'holdReason' in terms ? 0 : Date.parse(terms.agreement.deadline);
}

/** The verified terms of a job's own wallet. An active job's end with its activation, so that no amendment can be left out. */
function termsOf(claim: RecipientClaim, trust: RecipientTrust): AgreedTerms | NoRecipient {
  const terms = AgreedTerms.verify(claim.terms, trust.agreementSigners);
  if ('problem' in terms) return { holdReason: `${NOT_AGREED}: ${terms.problem}` };
  const { agreement, activation } = terms;
  const isOfJob =
    agreement.jobId === claim.id &&
    agreement.chainId === trust.chainId &&
    isAddressEqual(agreement.wallet, claim.walletAddress);
  if (!isOfJob) return { holdReason: `${NOT_AGREED}: its agreement is of another job` };
  if (claim.activatedAt && !activation) return { holdReason: `${NOT_AGREED}: its activation is not agreed` };
  return terms;
}

/** Whether enough operators signed that this job's money goes to an address. */
function isReleasedTo(
  { id, release }: RecipientClaim,
  to: Address,
  { chainId, operatorKeys }: RecipientTrust,
): boolean {
  if (!release) return false;
  try {
    const { command, operators } = checkSignatures(release, operatorKeys);
    const isOfJob = command.action === 'release' && command.jobId === id && command.chainId === chainId;
    return isOfJob && operators.length >= SIGNERS_TO_REDIRECT && isAddressEqual(getAddress(command.to), to);
  } catch (error) {
    if (error instanceof CommandRefused) return false;
    throw error;
  }
}
