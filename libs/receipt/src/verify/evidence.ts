import type { ServicePeriod } from '@maker/contracts';
import { formatHype, formatUnits, PRICE_SCALE, splitDeposit } from '@maker/rules';
import { AgreedTerms } from '@maker/signing/terms';
import type { Address, Hash } from 'viem';
import type { ChainFacts, TransactionFact } from '../chain/chain-facts.ts';
import { type PurchaseRead, readPurchase } from '../chain/read-purchase.ts';
import type { SignedOrder, SignedReceipt, SignedTransfer } from '../file/receipt-file.ts';
import { missingTokens, undelivered } from '../file/sums.ts';
import { RULEBOOKS, RULES_VERSION, type Rulebook } from './rulebook.ts';

/** A transaction that the receipt lists. */
export type ListedTransaction = { readonly order: SignedOrder } | { readonly transfer: SignedTransfer };

/** The agreement of a receipt. */
export interface Agreed {
  /** Addresses whose keys signed the agreement and its amendments. */
  readonly signers: readonly Address[];
  /** Absent if the receipt has no agreement, or if it is not valid. */
  readonly terms?: AgreedTerms;
  /** Why it is not valid, a part of a sentence. */
  readonly problem?: string;
}

/** A service, as the site that the reader named describes it. */
export interface NamedService {
  /** Host of the site. */
  readonly host: string;
  readonly chainId: number;
  readonly periods: readonly ServicePeriod[];
  /** Address of an off-line key that signed the description. */
  readonly identity?: Address;
}

/** A receipt with the facts of the chain. */
export class Evidence {
  readonly receipt: SignedReceipt;
  readonly facts: ChainFacts;
  /** The service whose site the reader named; absent: any. */
  readonly namedService: NamedService | undefined;
  /** All transactions of the wallet in the receipt, by nonce. */
  readonly listed: readonly ListedTransaction[];
  #agreed: Agreed | undefined;
  readonly #purchases = new Map<Hash, PurchaseRead | undefined>();

  constructor(receipt: SignedReceipt, facts: ChainFacts, namedService?: NamedService) {
    this.receipt = receipt;
    this.facts = facts;
    this.namedService = namedService;
    this.listed = [
      ...receipt.orders.map((order) => ({ order })),
      ...receipt.transfers.map((transfer) => ({ transfer })),
    ].sort((one, other) => entryOf(one).nonce - entryOf(other).nonce);
  }

  /** This build's rules of the version in the receipt. The rule `rules` rejects an unknown version first. */
  get rules(): Rulebook {
    const rules = RULEBOOKS.get(this.receipt.rules.version) ?? RULEBOOKS.get(RULES_VERSION);
    if (!rules) throw new Error('This build has no rules');
    return rules;
  }

  /** Division of the deposit by the rules. */
  get split() {
    return splitDeposit(BigInt(this.receipt.rules.paidWei));
  }

  /** @throws Error if it is not on the chain; earlier rules reject that */
  transaction(hash: Hash): TransactionFact {
    const fact = this.facts.transactions.get(hash);
    if (!fact) throw new Error(`${hash} was used before it was found`);
    return fact;
  }

  /** The decoded call of an order; undefined if it is no purchase. */
  purchase({ transactionHash }: SignedOrder): PurchaseRead | undefined {
    if (!this.#purchases.has(transactionHash))
      this.#purchases.set(transactionHash, readPurchase(this.transaction(transactionHash), this.facts.venues));
    return this.#purchases.get(transactionHash);
  }

  /** The agreement in the receipt, verified. */
  get agreed(): Agreed {
    this.#agreed ??= agreedIn(this.receipt);
    return this.#agreed;
  }

  /** The terms in force; undefined if the receipt has no valid agreement. */
  get terms(): AgreedTerms | undefined {
    return this.agreed.terms;
  }

  /** Addresses that may receive tokens and the rest: the agreed one; without an agreement those that the receipt names. */
  get recipients(): readonly Address[] {
    if (!this.terms) return this.owners;
    const agreed = this.terms.returnAddress ?? agreedPayer(this.receipt, this.terms);
    return agreed === null ? [] : [agreed];
  }

  /** Addresses that own the payer's deposits. */
  get owners(): readonly Address[] {
    const { payer, returnAddress } = this.receipt;
    return [payer, returnAddress].filter((address) => address !== null);
  }

  get isCurrent(): boolean {
    return isCurrent(this.receipt, this.facts);
  }

  /** Tokens bought, not delivered and in the wallet now; if the token does not answer, all undelivered tokens. */
  get keptTokens(): bigint {
    return undelivered(this.receipt.sums) - this.missingTokens;
  }

  get missingTokens(): bigint {
    return missingTokens(this.receipt.sums, this.facts.wallet.tokens);
  }

  /** Formats an amount with the token's own decimals, never with those in the receipt. */
  tokens(amount: bigint): string {
    const { tokenDecimals } = this.facts;
    return tokenDecimals === null ? `${amount} units of the token` : `${formatUnits(amount, tokenDecimals)} tokens`;
  }

  /** Formats a price. @param priceX96 wei for the smallest unit, times 2^96 */
  price(priceX96: bigint): string {
    const { tokenDecimals } = this.facts;
    return tokenDecimals === null
      ? `${priceX96} wei for the smallest unit × 2^96`
      : `${hype((priceX96 * 10n ** BigInt(tokenDecimals)) / PRICE_SCALE)} for a token`;
  }
}

/** Finds breaches of a rule, one sentence each; the verdict names only the first. */
export type Check = (evidence: Evidence) => Iterable<string>;

function agreedIn({ agreement }: SignedReceipt): Agreed {
  if (!agreement) return { signers: [] };
  const { signers, terms } = AgreedTerms.read(agreement);
  return 'problem' in terms ? { signers, problem: terms.problem } : { signers, terms };
}

/** The payer that the activation names, if this address alone paid enough. */
function agreedPayer({ deposits }: SignedReceipt, { activation, leastWei }: AgreedTerms): Address | null {
  const payer = activation?.payer ?? null;
  const own = deposits.filter(({ pays, from }) => pays && from !== null && from === payer);
  const paidWei = own.reduce((sum, { amountWei }) => sum + BigInt(amountWei), 0n);
  return paidWei >= leastWei ? payer : null;
}

/** Whether the wallet has sent nothing since its receipt: only then its current state belongs to the receipt. */
export function isCurrent({ orders, transfers }: SignedReceipt, { wallet }: ChainFacts): boolean {
  return wallet.nonce === orders.length + transfers.length;
}

/** The order or transfer itself, for their common fields. */
export function entryOf(one: ListedTransaction): SignedOrder | SignedTransfer {
  return 'order' in one ? one.order : one.transfer;
}

export function nameOf(one: ListedTransaction): string {
  return 'order' in one ? `Order ${one.order.number}` : `The ${one.transfer.kind} with nonce ${one.transfer.nonce}`;
}

export function hype(wei: bigint): string {
  return `${formatHype(wei)} HYPE`;
}

/** A block's time as the receipt writes it. */
export function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
