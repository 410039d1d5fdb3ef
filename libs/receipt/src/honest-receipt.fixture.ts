import { minimumOut, orderSlippage, parseHype, priceOf, STANDARD_ORDER_WEI, splitDeposit } from '@maker/rules';
import {
  type Address,
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  type Hash,
  type Hex,
  pad,
  parseAbi,
  toHex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { ChainFacts, LogFact, TransactionFact } from './chain/chain-facts.ts';
import { contentHashOf } from './file/content-hash.ts';
import type { ReceiptFile, SignedOrder, SignedReceipt, SignedTransfer } from './file/receipt-file.ts';
import { addOrder, NO_ORDERS, sumsOf } from './file/sums.ts';
import { receiptTypedData } from './file/typed-data.ts';

const abi = parseAbi([
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
  'function transfer(address to, uint256 amount) returns (bool)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)',
]);

/** Key of the job's wallet, and of somebody else. */
export const WALLET_KEY: Hex = `0x${'11'.repeat(32)}`;
export const OTHER_KEY: Hex = `0x${'22'.repeat(32)}`;

export const WALLET = privateKeyToAccount(WALLET_KEY).address.toLowerCase() as Address;
export const PAYER: Address = `0x${'aa'.repeat(20)}`;
export const STRANGER: Address = `0x${'bb'.repeat(20)}`;
export const TREASURY: Address = `0x${'cc'.repeat(20)}`;
export const TOKEN: Address = `0x${'dd'.repeat(20)}`;
export const ROUTER: Address = `0x${'e1'.repeat(20)}`;
const POOL: Address = `0x${'e2'.repeat(20)}`;
const WRAPPED: Address = `0x${'e3'.repeat(20)}`;

const SLOT_MS = 138_000;
const GAS_WEI = 13_000_000_000_000n;
const QUOTED = 40_000n * 10n ** 18n;
const FIRST_BLOCK_SECONDS = 1_800_000_000;

/** A receipt and the chain that it tells of, which tests break one by one. */
export interface Honest {
  readonly receipt: SignedReceipt;
  readonly facts: ChainFacts;
}

/** A completed job: paid, the fee, orders on schedule (one reverted, one given up), a refund, delivery and return. */
export function honestReceipt(orderCount = 40): Honest {
  const chain = new FakeChain();
  const paidWei = parseHype('0.25');
  const split = splitDeposit(paidWei);
  const deposit = chain.add({ from: PAYER, to: WALLET, valueWei: paidWei });
  const late = chain.add({ from: STRANGER, to: WALLET, valueWei: parseHype('0.01') });
  const transfers: SignedTransfer[] = [
    transferOf('fee', chain.sent({ to: TREASURY, valueWei: split.feeWei }), TREASURY, split.feeWei),
  ];
  const orders = Array.from({ length: orderCount }, (_, index) => chain.order(index + 1, index));
  const bought = orders.reduce((sum, { receivedTokens }) => sum + BigInt(receivedTokens), 0n);
  const delivery = chain.sent({
    to: TOKEN,
    input: encodeFunctionData({ abi, functionName: 'transfer', args: [PAYER, bought] }),
    logs: [transferLog(WALLET, PAYER, bought)],
  });
  transfers.push(transferOf('delivery', delivery, PAYER, bought));
  const refundWei = parseHype('0.01') - GAS_WEI;
  transfers.push(transferOf('refund', chain.sent({ to: STRANGER, valueWei: refundWei }), STRANGER, refundWei));
  const spentWei = orders.reduce(
    (sum, { result, tradeWei, gasWei }) => sum + BigInt(gasWei) + (result === 'filled' ? BigInt(tradeWei) : 0n),
    split.feeWei + 2n * GAS_WEI,
  );
  const restWei = paidWei - spentWei - GAS_WEI;
  const last = chain.sent({ to: PAYER, valueWei: restWei });
  transfers.push(transferOf('return', last, PAYER, restWei));

  const head = {
    format: 'maker-receipt-1' as const,
    state: 'final' as const,
    jobId: `job_${'0'.repeat(32)}`,
    chainId: 999,
    asOf: { blockNumber: last.blockNumber, blockHash: blockHashOf(last.blockNumber), at: timeAt(last) },
    wallet: WALLET,
    token: { address: TOKEN, symbol: 'DEMO', decimals: 18 },
    payer: PAYER,
    returnAddress: PAYER,
    rules: {
      feePercent: 30,
      treasury: TREASURY,
      paidWei: `${paidWei}`,
      orderBudgetWei: `${split.orderBudgetWei}`,
      slotMs: SLOT_MS,
      tradingEndsAt: '2027-01-17T08:00:00.000Z',
      latestEndAt: '2027-01-17T09:00:00.000Z',
      seenPriceX96: `${priceOf(STANDARD_ORDER_WEI, QUOTED)}`,
      bandBps: 1000,
      slippageBps: 100,
      orderLifeSeconds: 120,
      venues: [{ id: 'hyperswap-v2', router: ROUTER }],
    },
    deposits: [depositOf(deposit, true), depositOf(late, false)],
    transfers,
    pauses: [{ reason: 'gas_guardrail', from: '2027-01-16T09:00:00.000Z', to: '2027-01-16T09:30:00.000Z' }],
    ending: { kind: 'completed', message: 'the budget is spent', at: timeAt(last) },
    releasedAt: null,
    heldReason: null,
  };
  const receipt = { ...head, orders, sums: sumsOf(head, orders.reduce(addOrder, NO_ORDERS)) };
  return { receipt, facts: chain.facts(last.blockNumber) };
}

/** Signs a receipt as it stands. */
export async function signedBy(key: Hex, receipt: SignedReceipt): Promise<ReceiptFile> {
  const typedData = receiptTypedData(receipt, await contentHashOf(receipt));
  return { receipt, signature: await privateKeyToAccount(key).signTypedData(typedData) };
}

/** The facts with one transaction changed. */
export function withTransaction({ facts }: Honest, hash: Hash, change: Partial<TransactionFact>): ChainFacts {
  const fact = facts.transactions.get(hash);
  if (!fact) throw new Error(`${hash} is not on the chain`);
  return { ...facts, transactions: new Map(facts.transactions).set(hash, { ...fact, ...change }) };
}

/** The call of an order. */
export function buyCall(change: { recipient?: Address; path?: Address[]; minimum?: bigint; deadline?: bigint }): Hex {
  const {
    recipient = WALLET,
    path = [WRAPPED, TOKEN],
    minimum = minimumOut(QUOTED, orderSlippage(100n, false)),
    deadline = 0n,
  } = change;
  return encodeFunctionData({
    abi,
    functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens',
    args: [minimum, path, recipient, deadline],
  });
}

export function transferLog(from: Address, to: Address, amount: bigint): LogFact {
  return {
    address: TOKEN,
    topics: encodeEventTopics({ abi, eventName: 'Transfer', args: { from, to } }) as Hex[],
    data: encodeAbiParameters([{ type: 'uint256' }], [amount]),
  };
}

function swapLog(sold: bigint): LogFact {
  const words = [STANDARD_ORDER_WEI, 0n, 0n, sold].map((word) => pad(toHex(word)).slice(2));
  return {
    address: POOL,
    topics: encodeEventTopics({ abi, eventName: 'Swap', args: { sender: ROUTER, to: WALLET } }) as Hex[],
    data: `0x${words.join('')}`,
  };
}

/** Blocks with one transaction each. */
class FakeChain {
  readonly #transactions = new Map<Hash, TransactionFact>();
  #nonce = 0;

  add(change: Partial<TransactionFact>, seconds = FIRST_BLOCK_SECONDS): TransactionFact {
    const number = this.#transactions.size + 1;
    const fact = {
      hash: pad(toHex(number + 1_000_000)),
      from: STRANGER,
      to: WALLET,
      nonce: 0,
      valueWei: 0n,
      input: '0x' as const,
      blockNumber: number,
      blockSeconds: seconds,
      succeeded: true,
      gasWei: GAS_WEI,
      logs: [],
      ...change,
    };
    this.#transactions.set(fact.hash, fact);
    return fact;
  }

  sent(change: Partial<TransactionFact>, seconds = FIRST_BLOCK_SECONDS + 7200): TransactionFact {
    return this.add({ from: WALLET, nonce: this.#nonce++, ...change }, seconds);
  }

  order(number: number, slots: number): SignedOrder {
    const result = number === 3 ? 'reverted' : number === 5 ? 'voided' : 'filled';
    const received = result === 'filled' ? (QUOTED * 999n) / 1000n : 0n;
    const seconds = FIRST_BLOCK_SECONDS + 10 + Math.ceil((slots * SLOT_MS) / 1000);
    const minimum = minimumOut(QUOTED, orderSlippage(100n, result === 'filled' && number % 2 === 0));
    const fact = this.sent(
      result === 'voided'
        ? { to: WALLET }
        : {
            to: ROUTER,
            valueWei: STANDARD_ORDER_WEI,
            input: buyCall({ minimum, deadline: BigInt(seconds + 60) }),
            succeeded: result === 'filled',
            logs: result === 'filled' ? [swapLog(received), transferLog(POOL, WALLET, received)] : [],
          },
      seconds,
    );
    return {
      number,
      result,
      venue: 'hyperswap-v2',
      nonce: fact.nonce,
      transactionHash: fact.hash,
      blockNumber: fact.blockNumber,
      minedAt: timeAt(fact),
      tradeWei: `${STANDARD_ORDER_WEI}`,
      quotedTokens: `${QUOTED}`,
      minimumTokens: `${minimum}`,
      receivedTokens: `${received}`,
      priceX96: received === 0n ? null : `${priceOf(STANDARD_ORDER_WEI, received)}`,
      gasWei: `${GAS_WEI}`,
    };
  }

  facts(newestBlock: number): ChainFacts {
    return {
      chainId: 999,
      asOfBlockHash: blockHashOf(newestBlock),
      wallet: { hasCode: false, nonce: this.#nonce, balanceWei: 0n, tokens: 0n, movedOut: [] },
      tokenDecimals: 18,
      transactions: this.#transactions,
    };
  }
}

function depositOf({ hash, blockNumber, from, valueWei }: TransactionFact, pays: boolean) {
  return { kind: 'transfer' as const, transactionHash: hash, blockNumber, from, amountWei: `${valueWei}`, pays };
}

function transferOf(kind: SignedTransfer['kind'], fact: TransactionFact, to: Address, amount: bigint): SignedTransfer {
  const { nonce, hash: transactionHash, blockNumber, gasWei } = fact;
  return { kind, succeeded: true, nonce, transactionHash, blockNumber, to, amount: `${amount}`, gasWei: `${gasWei}` };
}

function blockHashOf(blockNumber: number): Hash {
  return pad(toHex(blockNumber));
}

function timeAt({ blockSeconds }: TransactionFact): string {
  return new Date(blockSeconds * 1000).toISOString();
}
