import { type Activation, type Agreement, type SignedTerms, signedTermsSchema } from '@maker/contracts';
import { LRUCache } from 'lru-cache';
import type { Address } from 'viem';
import { type FoundSignature, isSignedByOne, signaturesOf } from './agreement-typed-data.ts';

/** Most remembered terms, of a few kilobytes each. */
const MOST_REMEMBERED = 2000;

/** Verified terms by their text and signers: the executor verifies the same terms in each block, and a check takes milliseconds. */
const verified = new LRUCache<string, AgreedTerms>({ max: MOST_REMEMBERED });

/** Terms, or why they are not the job service's; a part of a sentence. */
export type VerifiedTerms = AgreedTerms | { readonly problem: string };

type TermsInForce = Pick<AgreedTerms, 'agreement' | 'returnAddress' | 'leastWei' | 'activation'>;

/**
 * The terms of a job that are in force after its amendments. Only {@link AgreedTerms.verify} and
 * {@link AgreedTerms.read} make one, after they have checked each signature and the chain of amendments. Source: docs/adr/0142.
 */
export class AgreedTerms {
  readonly agreement: Agreement;
  /** Where tokens and unspent HYPE go; null: to the payer. */
  readonly returnAddress: Address | null;
  /** Least payment that starts the job, wei. */
  readonly leastWei: bigint;
  /** The payment that started the job; null before. Nothing amends the terms after it. */
  readonly activation: Activation | null;

  // Without parameter properties: Node runs the verifier from its sources.
  private constructor({ agreement, returnAddress, leastWei, activation }: TermsInForce) {
    this.agreement = agreement;
    this.returnAddress = returnAddress;
    this.leastWei = leastWei;
    this.activation = activation;
  }

  /**
   * Verifies an agreement with its amendments.
   * @param stored a `SignedTerms`, which a user of the database may have changed
   * @param signers addresses of the keys that sign agreements
   * @returns why they are not the job service's; a part of a sentence
   */
  static verify(stored: unknown, signers: readonly Address[]): VerifiedTerms {
    if (stored === undefined || stored === null) return { problem: 'it has no agreement' };
    const { data: signed } = signedTermsSchema.safeParse(stored);
    if (!signed) return { problem: 'its agreement has no valid form' };
    const key = JSON.stringify([signed, signers]);
    const known = verified.get(key);
    if (known) return known;
    const terms = AgreedTerms.check(signed, signaturesOf(signed), signers);
    if (terms instanceof AgreedTerms) verified.set(key, terms);
    return terms;
  }

  /** Verifies an agreement of a service that is not known yet, by the keys of its own signatures. */
  static read(signed: SignedTerms): { readonly signers: readonly Address[]; readonly terms: VerifiedTerms } {
    const signatures = signaturesOf(signed);
    const signers = [...new Set(signatures.flatMap(({ signer }) => signer ?? []))];
    return { signers, terms: AgreedTerms.check(signed, signatures, signers) };
  }

  private static check(
    { agreement, amendments }: SignedTerms,
    [ofAgreement, ...ofAmendments]: readonly [FoundSignature, ...FoundSignature[]],
    signers: readonly Address[],
  ): VerifiedTerms {
    if (!isSignedByOne(ofAgreement, signers)) return { problem: 'its agreement is not signed by the job service' };
    let previous = ofAgreement.hash;
    const { returnAddress, leastWei } = agreement;
    let terms = new AgreedTerms({ agreement, returnAddress, leastWei: BigInt(leastWei), activation: null });
    for (const [index, found] of ofAmendments.entries()) {
      const { amendment } = amendments[index] ?? {};
      if (!amendment || !isSignedByOne(found, signers))
        return { problem: 'an amendment is not signed by the job service' };
      const follows = amendment.previous === previous && amendment.sequence === index + 1;
      if (!follows || amendment.jobId !== agreement.jobId || terms.activation)
        return { problem: 'an amendment does not follow the one before' };
      terms = new AgreedTerms({
        agreement,
        returnAddress: amendment.returnAddress ?? terms.returnAddress,
        leastWei: amendment.leastWei === null ? terms.leastWei : BigInt(amendment.leastWei),
        activation: amendment.activation,
      });
      previous = found.hash;
    }
    return terms;
  }
}
