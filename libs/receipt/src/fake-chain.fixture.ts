import { type Address, type Hash, pad, toHex } from 'viem';
import type { TransactionFact } from './chain/chain-facts.ts';
import { movementsOf } from './chain/token-movements.ts';
import { STRANGER, TOKEN, WALLET } from './parties.fixture.ts';

/** Gas of each transaction on the fake chain. */
export const GAS_USED = 13_000n;
export const GAS_PRICE_WEI = 1_000_000_000n;

export const FIRST_BLOCK_SECONDS = 1_800_000_000;

/** A chain with one transaction per block, and the job's wallet on it. */
export class FakeChain {
  readonly transactions = new Map<Hash, TransactionFact>();
  nonce = 0;
  balanceWei = 0n;
  tokens = 0n;
  /** Time of the newest block, seconds since 1970. */
  seconds = FIRST_BLOCK_SECONDS;

  /** Adds a transaction; by default a stranger sends it to the wallet. */
  add(change: Partial<TransactionFact>, seconds = this.seconds): TransactionFact {
    const number = this.transactions.size + 1;
    this.seconds = Math.max(seconds, this.seconds);
    const gasPriceWei = change.gasPriceWei ?? GAS_PRICE_WEI;
    const fact: TransactionFact = {
      hash: pad(toHex(number + 1_000_000)),
      from: STRANGER,
      to: WALLET,
      nonce: 0,
      valueWei: 0n,
      input: '0x',
      blockNumber: number,
      transactionIndex: 0,
      blockSeconds: this.seconds,
      succeeded: true,
      gasWei: GAS_USED * gasPriceWei,
      gasPriceWei,
      logs: [],
      ...change,
    };
    this.transactions.set(fact.hash, fact);
    const movedWei = fact.succeeded ? fact.valueWei : 0n;
    if (fact.to === WALLET) this.balanceWei += movedWei;
    if (fact.from === WALLET) this.balanceWei -= movedWei + fact.gasWei;
    for (const { from, to, amount } of fact.succeeded ? movementsOf(fact.logs, TOKEN) : []) {
      if (to === WALLET) this.tokens += amount;
      if (from === WALLET) this.tokens -= amount;
    }
    return fact;
  }

  /** Adds a transaction of the wallet. */
  sent(change: Partial<TransactionFact>, seconds?: number): TransactionFact {
    return this.add({ from: WALLET, nonce: this.nonce++, ...change }, seconds);
  }

  /** Adds a payment to the wallet. */
  paid(from: Address, valueWei: bigint, seconds?: number): TransactionFact {
    return this.add({ from, to: WALLET, valueWei }, seconds);
  }
}

export function blockHashOf(blockNumber: number): Hash {
  return pad(toHex(blockNumber));
}

export function timeAt({ blockSeconds }: TransactionFact): string {
  return new Date(blockSeconds * 1000).toISOString();
}
