import type { BlockHead } from '@maker/chain';
import type { FinalTransaction, TransactionPurpose, TransactionRecord } from '@maker/execution-records';
import { type Address, ExecutionRevertedError, type Hash, type Hex, zeroAddress } from 'viem';

export const WALLET: Address = '0x1000000000000000000000000000000000000001';
export const TREASURY: Address = '0x2000000000000000000000000000000000000002';
export const PAYER: Address = '0x3000000000000000000000000000000000000003';
export const TOKEN: Address = '0x4000000000000000000000000000000000000004';
export const ROUTER: Address = '0x5000000000000000000000000000000000000005';
export const POOL: Address = '0x6000000000000000000000000000000000000006';

/** Behaviour of strangers, the token and the endpoint, until it is changed. */
export interface Circumstances {
  ordersRevert: boolean;
  /** Gas estimates of deliveries revert. */
  tokenRefuses: boolean;
  /** The return address accepts no HYPE. */
  payerRefuses: boolean;
  market: 'calm' | 'thin' | 'expensive';
  baseFeeWei: bigint;
  /** Blocks include no transaction. */
  isFull: boolean;
  /** Number of the next reads that fail. */
  failures: number;
  /** Balances are of the block before the head. */
  lags: boolean;
}

interface Sent {
  readonly transaction: TransactionRecord;
  readonly hash: Hash;
  readonly valueWei: bigint;
  readonly feeWei: bigint;
  readonly isVoid: boolean;
}

interface Mined extends Sent {
  readonly succeeded: boolean;
  readonly gasWei: bigint;
  readonly tokens: bigint;
}

interface Block extends BlockHead {
  readonly mined: readonly Mined[];
  readonly deposits: readonly { readonly from: Address; readonly amountWei: bigint }[];
  /** Balance of the wallet after this block. */
  readonly balanceAfterWei: bigint;
  readonly noncesAfter: number;
  readonly tokensAfter: bigint;
}

const GAS_OF_TRANSFER = 21_000n;
const GAS_OF_ORDER = 150_000n;
/** Tokens for one wei. */
const PRICE = 1000n;

/** A simulated chain with one wallet of ours: blocks, a mempool, reorganisations. The caller decides all events. */
export class SimulatedChain {
  readonly circumstances: Circumstances = {
    ordersRevert: false,
    tokenRefuses: false,
    payerRefuses: false,
    market: 'calm',
    baseFeeWei: 100_000_000n,
    isFull: false,
    failures: 0,
    lags: false,
  };
  private blocks: Block[];
  /** Cache of the transactions in all blocks. */
  private mined: readonly Mined[] | undefined;
  private pool = new Map<number, Sent>();
  private branch = 0;
  private waiting: Block['deposits'] = [];

  constructor(depositWei: bigint) {
    this.blocks = [this.block(undefined, 1_000_000, [], [{ from: PAYER, amountWei: depositWei }])];
  }

  get head(): BlockHead {
    return this.at(this.blocks.length - 1);
  }

  get height(): number {
    return this.blocks.length - 1;
  }

  /** Accepts saved bytes into the mempool. */
  take(transaction: TransactionRecord): 'accepted' | 'known' | 'nonce_used' {
    const attempt = transaction.attempts.at(-1);
    if (!attempt) throw new Error('nothing is signed');
    if (transaction.nonce < this.usedNonces) return 'nonce_used';
    if (this.pool.get(transaction.nonce)?.hash === attempt.hash) return 'known';
    const { hash, valueWei, maxFeePerGasWei: feeWei } = attempt;
    this.pool.set(transaction.nonce, { transaction, hash, valueWei, feeWei, isVoid: attempt.isVoid === true });
    return 'accepted';
  }

  /** Sends HYPE to the wallet in the next block. */
  pay(from: Address, amountWei: bigint): void {
    this.waiting = [...this.waiting, { from, amountWei }];
  }

  mine(seconds: number): void {
    const mined: Mined[] = [];
    let balanceWei = this.balance() + this.waiting.reduce((sum, { amountWei }) => sum + amountWei, 0n);
    for (let nonce = this.usedNonces; !this.circumstances.isFull; nonce += 1) {
      const sent = this.pool.get(nonce);
      if (!sent || sent.feeWei < this.circumstances.baseFeeWei) break;
      const gas = sent.transaction.purpose === 'order' && !sent.isVoid ? GAS_OF_ORDER : GAS_OF_TRANSFER;
      const priceWei = this.priceOf(sent);
      const gasLimit = sent.isVoid ? GAS_OF_TRANSFER : BigInt(sent.transaction.gasLimit);
      if (balanceWei < sent.valueWei + gasLimit * sent.feeWei) break;
      const succeeded = !this.reverts(sent);
      const tokens = this.tokensOf(sent, succeeded);
      balanceWei -= gas * priceWei + (succeeded ? sent.valueWei : 0n);
      mined.push({ ...sent, succeeded, gasWei: gas * priceWei, tokens });
      this.pool.delete(nonce);
    }
    this.blocks.push(this.block(this.at(this.height), seconds * 1000, mined, this.waiting));
    if (mined.length > 0) this.mined = undefined;
    this.waiting = [];
  }

  /** Removes blocks. Our transactions of them return to the mempool; deposits of strangers come again in the next block. */
  reorganise(depth: number): void {
    const kept = Math.max(1, this.blocks.length - depth);
    const gone = this.blocks.splice(kept);
    this.branch += 1;
    this.mined = undefined;
    for (const { mined, deposits } of gone) {
      for (const sent of mined) this.pool.set(sent.transaction.nonce, sent);
      this.waiting = [...this.waiting, ...deposits];
    }
  }

  get usedNonces(): number {
    return this.at(this.height).noncesAfter;
  }

  /** HYPE of the wallet, wei. */
  balance(): bigint {
    return this.at(this.height).balanceAfterWei;
  }

  /** Tokens of the wallet. */
  tokens(): bigint {
    return this.at(this.height).tokensAfter;
  }

  /** HYPE that an address received from the wallet, by purpose, wei. */
  received(to: Address, ...purposes: readonly TransactionPurpose[]): bigint {
    return this.all()
      .filter((one) => one.succeeded && one.transaction.to === to && purposes.includes(one.transaction.purpose))
      .reduce((sum, { valueWei }) => sum + valueWei, 0n);
  }

  /** All transactions of the wallet in blocks. */
  all(): readonly Mined[] {
    this.mined ??= this.blocks.flatMap(({ mined }) => mined);
    return this.mined;
  }

  hashAt(height: number): Hash | undefined {
    return this.blocks[height]?.hash;
  }

  inclusionsOf(transactions: readonly TransactionRecord[], height: number): readonly FinalTransaction[] {
    const found = new Map(
      this.blocks.slice(0, height + 1).flatMap((block) => block.mined.map((mined) => [mined.hash, { block, mined }])),
    );
    return transactions.flatMap((transaction) => {
      const [one] = transaction.attempts.flatMap(({ hash }) => found.get(hash) ?? []);
      return one ? [{ transaction, inclusion: inclusionOf(one.block, one.mined) }] : [];
    });
  }

  /** Answers `eth_estimateGas` for a transfer. @throws ExecutionRevertedError */
  estimate(to: Address, data: Hex | undefined): bigint {
    const { tokenRefuses, payerRefuses, ordersRevert } = this.circumstances;
    const isRefused =
      (to === TOKEN && tokenRefuses) || (to === PAYER && payerRefuses) || (to === ROUTER && ordersRevert);
    if (isRefused) throw new ExecutionRevertedError({ message: 'execution reverted' });
    return data === undefined ? GAS_OF_TRANSFER : GAS_OF_ORDER;
  }

  samples(amounts: readonly bigint[]) {
    const { market } = this.circumstances;
    const price = market === 'expensive' ? PRICE / 2n : PRICE;
    const deep = { pool: { exchangeId: 'swap', address: POOL, token: TOKEN }, orderGas: GAS_OF_ORDER };
    const samples = amounts.map((inWei) => ({ inWei, tokens: inWei * price }));
    const pools = market === 'thin' ? [] : [{ ...deep, liquidityWei: 10n ** 21n, samples }];
    return { pools, holderTokens: this.tokens(), blockNumber: undefined };
  }

  private priceOf({ transaction, feeWei }: Sent): bigint {
    const isExact = transaction.purpose === 'return' || transaction.purpose === 'refund';
    return isExact ? feeWei : this.circumstances.baseFeeWei;
  }

  private reverts({ transaction, isVoid }: Sent): boolean {
    if (isVoid) return false;
    if (transaction.purpose === 'order') return this.circumstances.ordersRevert;
    if (transaction.purpose === 'delivery') return this.circumstances.tokenRefuses;
    return transaction.to === PAYER && this.circumstances.payerRefuses;
  }

  private tokensOf({ transaction, valueWei, isVoid }: Sent, succeeded: boolean): bigint {
    if (!succeeded || isVoid) return 0n;
    if (transaction.purpose === 'order') return valueWei * PRICE;
    return transaction.purpose === 'delivery' ? -BigInt(`0x${transaction.data.slice(-64)}`) : 0n;
  }

  private at(height: number): Block {
    const block = this.blocks[height];
    if (!block) throw new Error(`no block ${height}`);
    return { ...block, baseFeeWei: this.circumstances.baseFeeWei };
  }

  private block(parent: Block | undefined, ms: number, mined: Block['mined'], deposits: Block['deposits']): Block {
    const number = parent ? parent.number + 1 : 0;
    const receivedWei = deposits.reduce((sum, { amountWei }) => sum + amountWei, 0n);
    const spentWei = mined.reduce((sum, one) => sum + one.gasWei + (one.succeeded ? one.valueWei : 0n), 0n);
    return {
      number,
      hash: `0x${this.branch}-${number}`,
      parentHash: parent?.hash ?? zeroAddress,
      timestampMs: (parent?.timestampMs ?? 0) + ms,
      baseFeeWei: 0n,
      tipWei: 0n,
      transactionHashes: new Set(mined.map(({ hash }) => hash)),
      mined,
      deposits,
      balanceAfterWei: (parent?.balanceAfterWei ?? 0n) + receivedWei - spentWei,
      noncesAfter: (parent?.noncesAfter ?? 0) + mined.length,
      tokensAfter: mined.reduce((sum, { tokens }) => sum + tokens, parent?.tokensAfter ?? 0n),
    };
  }
}

function inclusionOf(block: Block, mined: Mined): FinalTransaction['inclusion'] {
  const { hash, succeeded, gasWei, valueWei, tokens, isVoid } = mined;
  return {
    hash,
    blockNumber: block.number,
    blockHash: block.hash,
    blockAt: new Date(block.timestampMs),
    succeeded: succeeded && !isVoid,
    gasUsed: Number(GAS_OF_ORDER),
    gasWei,
    movedWei: succeeded && !isVoid ? valueWei : 0n,
    receivedTokens: tokens > 0n ? tokens : 0n,
    sentTokens: tokens < 0n ? -tokens : 0n,
  };
}
