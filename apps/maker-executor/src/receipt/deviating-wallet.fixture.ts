import { erc20Abi } from '@maker/chain';
import type { SignedOrder, SignedReceipt, SignedTransfer } from '@maker/receipt';
import { minimumOut, priceOf, STANDARD_ORDER_WEI } from '@maker/rules';
import {
  type Address,
  concat,
  encodeFunctionData,
  type Hash,
  type Hex,
  keccak256,
  maxUint256,
  pad,
  parseAbi,
  parseEventLogs,
  size,
  toEventSelector,
  toHex,
} from 'viem';
import type { MakerStage, PaidJob } from '../maker-stage.fixture.ts';

const V2 = parseAbi([
  'function getAmountsOut(uint256 amountIn, address[] path) view returns (uint256[] amounts)',
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256 amountOutMin, address[] path, address to, uint256 deadline) payable',
  'function approve(address spender, uint256 amount)',
  'function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
]);

/** A contract of the executor. */
export const OWN_EXCHANGE: Address = `0x${'0e'.repeat(20)}`;

const SWAP = 'Swap(address,uint256,uint256,uint256,uint256,address)';

/** Storage slot of the allowances in `DemoToken`. */
const ALLOWANCES: Hex = '0x04';

/** How a purchase differs from an honest one. */
export interface Deviation {
  /** A contract in place of the router. */
  readonly router?: Address;
  readonly recipient?: Address;
  readonly minimumTokens?: bigint;
  readonly lifeSeconds?: number;
}

/**
 * A job's wallet of an executor that breaks rules, on a V2 pool. Each transaction is really sent and stated in the wallet's
 * receipt.
 */
export class DeviatingWallet {
  constructor(
    private readonly stage: MakerStage,
    private readonly job: PaidJob,
    /** The receipt that the wallet would sign. */
    public receipt: SignedReceipt,
  ) {}

  /** Buys, and adds the purchase to the receipt as the next order. */
  async buys({ router, recipient = this.job.wallet, minimumTokens, lifeSeconds = 110 }: Deviation = {}): Promise<void> {
    const { contracts } = this.stage.chain;
    const path = [contracts.whype, this.job.token];
    const amounts = await this.stage.client.readContract({
      address: contracts.v2Router,
      abi: V2,
      functionName: 'getAmountsOut',
      args: [STANDARD_ORDER_WEI, path],
    });
    const quoted = amounts[1] ?? 0n;
    const { slippageBps } = this.receipt.rules;
    const least = minimumTokens ?? minimumOut(quoted, BigInt(slippageBps));
    const { timestamp } = await this.stage.client.getBlock();
    const data = encodeFunctionData({
      abi: V2,
      functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens',
      args: [least, path, recipient, timestamp + BigInt(lifeSeconds)],
    });
    await this.orders(router ?? contracts.v2Router, { data, value: STANDARD_ORDER_WEI }, { quoted, least });
  }

  /** Sends a transaction, and adds it to the receipt as the next order, at a matching price. */
  async orders(
    to: Address,
    { data = '0x', value = 0n }: { data?: Hex; value?: bigint },
    { quoted = 1n, least = 1n } = {},
  ): Promise<void> {
    const hash = await this.stage.sendAs(this.job.wallet, { to, value, data });
    const { logs } = await this.stage.client.getTransactionReceipt({ hash });
    const received = parseEventLogs({ abi: erc20Abi, logs, eventName: 'Transfer' })
      .filter(({ address, args }) => same(address, this.job.token) && same(args.to, this.job.wallet))
      .reduce((sum, { args }) => sum + args.value, 0n);
    const { at, ...mined } = await this.mined(hash);
    const [last] = this.receipt.orders.slice(-1);
    const order: SignedOrder = {
      ...mined,
      number: (last?.number ?? 0) + 1,
      result: 'filled',
      venue: last?.venue ?? '',
      minedAt: at,
      tradeWei: `${value}`,
      quotedTokens: `${quoted}`,
      minimumTokens: `${least}`,
      receivedTokens: `${received}`,
      priceX96: received === 0n ? null : `${priceOf(value, received)}`,
    };
    this.receipt = { ...this.receipt, orders: [...this.receipt.orders, order] };
    await this.upTo(mined.blockNumber);
  }

  /**
   * Creates a contract of the executor in place of router and pool. On any call it keeps the HYPE, sends its own tokens to the
   * wallet, and emits a pool's event of a trade.
   */
  async ownExchange(): Promise<Address> {
    const { contracts } = this.stage.chain;
    const path = [contracts.whype, this.job.token];
    const [, stock = 0n] = await this.stage.client.readContract({
      address: contracts.v2Router,
      abi: V2,
      functionName: 'getAmountsOut',
      args: [STANDARD_ORDER_WEI, path],
    });
    const isFirst = BigInt(contracts.whype) < BigInt(this.job.token);
    const amounts = isFirst ? [STANDARD_ORDER_WEI, 0n, 0n, stock] : [0n, STANDARD_ORDER_WEI, stock, 0n];
    const transfer = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [this.job.wallet, stock] });
    const event = concat(amounts.map((amount) => pad(toHex(amount))));
    const topics = [pad(OWN_EXCHANGE), pad(this.job.wallet)];
    await this.stage.client.setCode({
      address: OWN_EXCHANGE,
      bytecode: exchangeOf(this.job.token, transfer, [toEventSelector(SWAP), ...topics], event),
    });
    return OWN_EXCHANGE;
  }

  /** Sells a part of the bought tokens, and adds the sale to the receipt as the next order. */
  async sells(): Promise<void> {
    const { v2Router, whype } = this.stage.chain.contracts;
    const approve = encodeFunctionData({ abi: V2, functionName: 'approve', args: [v2Router, maxUint256] });
    await this.sends('delivery', this.job.token, { data: approve });
    const data = encodeFunctionData({
      abi: V2,
      functionName: 'swapExactTokensForETHSupportingFeeOnTransferTokens',
      args: [10n ** 12n, 0n, [this.job.token, whype], this.job.wallet, maxUint256],
    });
    await this.orders(v2Router, { data });
  }

  /** Sends a transaction, and adds it to the receipt as a transfer. @param kind of the transfer; undefined: not in the receipt */
  async sends(
    kind: SignedTransfer['kind'] | undefined,
    to: Address,
    { data = '0x', value = 0n, recipient = to, amount = value }: Sending = {},
  ): Promise<void> {
    const hash = await this.stage.sendAs(this.job.wallet, { to, value, data });
    if (!kind) return;
    const { at: _at, ...mined } = await this.mined(hash);
    const transfer = { ...mined, kind, succeeded: true, to: lower(recipient), amount: `${amount}` };
    this.receipt = { ...this.receipt, transfers: [...this.receipt.transfers, transfer] };
    await this.upTo(mined.blockNumber);
  }

  /** Sends tokens, and adds this to the receipt as a delivery. */
  async delivers(recipient: Address, amount: bigint): Promise<void> {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [recipient, amount] });
    await this.sends('delivery', this.job.token, { data, recipient, amount });
  }

  /** Receives a payment, and adds it to the receipt as part of the job's payment. @param shownPayer its sender by the receipt */
  async isPaidBy(from: Address, value: bigint, shownPayer: Address = from): Promise<void> {
    await this.stage.client.setBalance({ address: from, value: value * 2n });
    const hash = await this.stage.sendAs(from, { to: this.job.wallet, value });
    const { blockNumber } = await this.stage.client.getTransactionReceipt({ hash });
    const { deposits, rules } = this.receipt;
    const deposit = {
      kind: 'transfer' as const,
      transactionHash: hash,
      blockNumber: Number(blockNumber),
      from: lower(shownPayer),
      amountWei: `${value}`,
      pays: true,
    };
    this.receipt = {
      ...this.receipt,
      payer: same(shownPayer, this.job.payer) ? this.receipt.payer : null,
      deposits: [...deposits, deposit],
      rules: { ...rules, paidWei: `${BigInt(rules.paidWei) + value}` },
    };
  }

  /** Has a spender take tokens by an allowance without a transaction, like a permit: it is written into the token's storage. */
  async allows(spender: Address, amount: bigint): Promise<void> {
    const { client } = this.stage;
    const { token, wallet } = this.job;
    const entry = (key: Address, slot: Hex) => keccak256(concat([pad(key), slot]));
    const index = entry(spender, entry(wallet, pad(ALLOWANCES)));
    await client.setStorageAt({ address: token, index, value: pad(toHex(amount)) });
    await client.setBalance({ address: spender, value: 10n ** 18n });
    const data = encodeFunctionData({
      abi: parseAbi(['function transferFrom(address from, address to, uint256 amount)']),
      args: [wallet, spender, amount],
    });
    await this.stage.sendAs(spender, { to: token, data });
  }

  private async mined(hash: Hash) {
    const { nonce } = await this.stage.client.getTransaction({ hash });
    const { blockNumber, gasUsed, effectiveGasPrice } = await this.stage.client.getTransactionReceipt({ hash });
    const { timestamp } = await this.stage.client.getBlock({ blockNumber });
    return {
      nonce,
      transactionHash: hash,
      blockNumber: Number(blockNumber),
      gasWei: `${gasUsed * effectiveGasPrice}`,
      at: new Date(Number(timestamp) * 1000).toISOString(),
    };
  }

  private async upTo(blockNumber: number): Promise<void> {
    const { hash, timestamp } = await this.stage.client.getBlock({ blockNumber: BigInt(blockNumber) });
    const at = new Date(Number(timestamp) * 1000).toISOString();
    this.receipt = { ...this.receipt, asOf: { blockNumber, blockHash: hash, at } };
  }
}

/** Returns code that sends a token by a call, and then emits an event. The data of both follows the code. */
function exchangeOf(token: Address, transfer: Hex, topics: readonly Hex[], event: Hex): Hex {
  const byte = (value: number) => toHex(value, { size: 1 });
  const [transferSize, eventSize] = [size(transfer), size(event)];
  const program = (codeSize: number): Hex =>
    concat([
      // CODECOPY of both to memory.
      concat(['0x60', byte(transferSize + eventSize), '0x61', toHex(codeSize, { size: 2 }), '0x600039']),
      // CALL of the token with the transfer.
      concat(['0x6000600060', byte(transferSize), '0x6000600073', token, '0x5af150']),
      // LOG3 of the rest.
      concat([...topics.toReversed().map((topic) => concat(['0x7f', topic])), '0x60', byte(eventSize)]),
      concat(['0x60', byte(transferSize), '0xa300']),
    ]);
  return concat([program(size(program(0))), transfer, event]);
}

interface Sending {
  readonly data?: Hex;
  readonly value?: bigint;
  /** Recipient and amount by the receipt. */
  readonly recipient?: Address;
  readonly amount?: bigint;
}

function lower(address: Address): Address {
  return address.toLowerCase() as Address;
}

function same(one: Address, other: Address): boolean {
  return lower(one) === lower(other);
}
