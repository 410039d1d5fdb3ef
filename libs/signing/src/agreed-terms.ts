import { type Activation, type Agreement, type SignedTerms, signedTermsSchema } from '@maker/contracts';
import { LRUCache } from 'lru-cache';
import type { Address } from 'viem';
import { agreementHash, amendmentHash, isAgreementSigned, isSignedByOne } from './agreement-typed-data.ts';

/** Most remembered terms, of a few kilobytes each. */
const MOST_REMEMBERED = 2000;

/** Verified terms by their text and signers: the executor verifies the same terms in each block, and a check takes milliseconds. */
const verified = new LRUCache<string, AgreedTerms>({ max: MOST_REMEMBERED });

type TermsInForce = Pick<AgreedTerms, 'agreement' | 'returnAddress' | 'leastWei' | 'activation'>;

/**
 * The terms of a job that are in force after its amendments. Only {@link AgreedTerms.verify} makes one, after it has
 * checked each signature and the chain of amendments. Source: docs/adr/0142.
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
  static verify(stored: unknown, signers: readonly Address[]): AgreedTerms | { readonly problem: string } {
    if (stored === undefined || stored === null) return { problem: 'it has no agreement' };
    const { data: signed } = signedTermsSchema.safeParse(stored);
    if (!signed) return { problem: 'its agreement has no valid form' };
    const key = JSON.stringify([signed, signers]);
    const known = verified.get(key);
    if (known) return known;
    const terms = AgreedTerms.check(signed, signers);
    if (terms instanceof AgreedTerms) verified.set(key, terms);
    return terms;
  }

  private static check(signed: SignedTerms, signers: readonly Address[]): AgreedTerms | { readonly problem: string } {
    if (!isAgreementSigned(signed, signers)) return { problem: 'its agreement is not signed by the job service' };
    const { agreement } = signed;
    let previous = agreementHash(agreement);
    const { returnAddress, leastWei } = agreement;
    let terms = new AgreedTerms({ agreement, returnAddress, leastWei: BigInt(leastWei), activation: null });
    for (const [index, { amendment, signature }] of signed.amendments.entries()) {
      const hash = amendmentHash(amendment, agreement.chainId);
      if (!isSignedByOne(hash, signature, signers)) return { problem: 'an amendment is not signed by the job service' };
      const follows = amendment.previous === previous && amendment.sequence === index + 1;
      if (!follows || amendment.jobId !== agreement.jobId || terms.activation)
        return { problem: 'an amendment does not follow the one before' };
      terms = new AgreedTerms({
        agreement,
        returnAddress: amendment.returnAddress ?? terms.returnAddress,
        leastWei: amendment.leastWei === null ? terms.leastWei : BigInt(amendment.leastWei),
        activation: amendment.activation,
      });
      previous = hash;
    }
    return terms;
  }
}
