import { formatHype, formatUnits, PRICE_SCALE, splitDeposit } from '@maker/rules';
import type { Address, Hash } from 'viem';
import type { ChainFacts, TransactionFact } from '../chain/chain-facts.ts';
import { type PurchaseRead, readPurchase } from '../chain/read-purchase.ts';
import type { SignedOrder, SignedReceipt, SignedTransfer } from '../file/receipt-file.ts';
import { missingTokens, undelivered } from '../file/sums.ts';
import { RULEBOOKS, RULES_VERSION, type Rulebook } from './rulebook.ts';

/** A transaction that the receipt tells of. */
export type Told = { readonly order: SignedOrder } | { readonly transfer: SignedTransfer };

/** A receipt beside the chain. */
export class Evidence {
  readonly receipt: SignedReceipt;
  readonly facts: ChainFacts;
  /** Identity of the service that the receipt should be of, as the reader knows it; absent: any. */
  readonly wantedService: Address | undefined;
  /** Every transaction that the receipt tells the wallet has sent, by nonce. */
  readonly told: readonly Told[];
  readonly #purchases = new Map<Hash, PurchaseRead | undefined>();

  constructor(receipt: SignedReceipt, facts: ChainFacts, wantedService?: Address) {
    this.receipt = receipt;
    this.facts = facts;
    this.wantedService = wantedService;
    this.told = [
      ...receipt.orders.map((order) => ({ order })),
      ...receipt.transfers.map((transfer) => ({ transfer })),
    ].sort((one, other) => entryOf(one).nonce - entryOf(other).nonce);
  }

  /** Rules of the version that the receipt names, of this build. The first rule finds one that is not known. */
  get rules(): Rulebook {
    const rules = RULEBOOKS.get(this.receipt.rules.version) ?? RULEBOOKS.get(RULES_VERSION);
    if (!rules) throw new Error('This build has no rules');
    return rules;
  }

  /** How the deposit was to be divided. */
  get split() {
    return splitDeposit(BigInt(this.receipt.rules.paidWei));
  }

  /** @throws where it is not on the chain, which the first rules find out */
  transaction(hash: Hash): TransactionFact {
    const fact = this.facts.transactions.get(hash);
    if (!fact) throw new Error(`${hash} was not looked for before it was used`);
    return fact;
  }

  /** The call of an order; undefined where it is none that buys. */
  purchase({ transactionHash }: SignedOrder): PurchaseRead | undefined {
    if (!this.#purchases.has(transactionHash))
      this.#purchases.set(transactionHash, readPurchase(this.transaction(transactionHash), this.facts.venues));
    return this.#purchases.get(transactionHash);
  }

  /** Addresses to which what is the payer's may go. */
  get owners(): readonly Address[] {
    const { payer, returnAddress } = this.receipt;
    return [payer, returnAddress].filter((address) => address !== null);
  }

  get isCurrent(): boolean {
    return isCurrent(this.receipt, this.facts);
  }

  /** Tokens that were bought, not delivered, and are in the wallet now: all of them where the token does not tell. */
  get keptTokens(): bigint {
    return undelivered(this.receipt.sums) - this.missingTokens;
  }

  get missingTokens(): bigint {
    return missingTokens(this.receipt.sums, this.facts.wallet.tokens);
  }

  /** As people read it, by what the token says of itself and never by what the receipt says of it. */
  tokens(amount: bigint): string {
    const { tokenDecimals } = this.facts;
    return tokenDecimals === null ? `${amount} units of the token` : `${formatUnits(amount, tokenDecimals)} tokens`;
  }

  /** A price as people read it. @param priceX96 wei for the smallest unit, times 2^96 */
  price(priceX96: bigint): string {
    const { tokenDecimals } = this.facts;
    return tokenDecimals === null
      ? `${priceX96} wei for the smallest unit × 2^96`
      : `${hype((priceX96 * 10n ** BigInt(tokenDecimals)) / PRICE_SCALE)} for a token`;
  }
}

/** What a receipt must stand. */
export interface Rule {
  /** Stable name, for programs. */
  readonly id: string;
  /** What the chain and this build prove where nothing is found; absent where the service's word takes part in it. */
  readonly statement?: (evidence: Evidence) => string;
  /** Finds what is not so, one sentence each; only the first is asked for. */
  readonly broken: (evidence: Evidence) => Iterable<string>;
}

/** Whether the wallet has sent nothing since its receipt: only then is its state of now that of the receipt. */
export function isCurrent({ orders, transfers }: SignedReceipt, { wallet }: ChainFacts): boolean {
  return wallet.nonce === orders.length + transfers.length;
}

/** What orders and transfers have in common. */
export function entryOf(told: Told): SignedOrder | SignedTransfer {
  return 'order' in told ? told.order : told.transfer;
}

export function nameOf(told: Told): string {
  return 'order' in told ? `Order ${told.order.number}` : `The ${told.transfer.kind} with nonce ${told.transfer.nonce}`;
}

export function hype(wei: bigint): string {
  return `${formatHype(wei)} HYPE`;
}

/** A block's time as the receipt writes it. */
export function timeOf(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
