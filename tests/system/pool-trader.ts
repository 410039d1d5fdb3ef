import type { StackDescription } from '@maker/local-stack';
import {
  type Abi,
  type Address,
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  type Hex,
  http,
  maxUint256,
  parseAbi,
  type TransactionReceipt,
  zeroAddress,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { type Market, POOL_FEE, type PoolShape } from '../adversary/markets.ts';
import type { ProductClient } from '../support/product-client.ts';

const GWEI = 1_000_000_000n;
const ANY_BASE_FEE = 20n * GWEI;
const TRADE_GAS = 300_000n;

interface Call {
  readonly abi: Abi;
  readonly functionName: string;
  readonly args: readonly unknown[];
}

/** How to trade on a venue: all of one token for the other, at any price. */
interface TradedVenue {
  readonly router: keyof StackDescription['contracts'];
  buy(path: readonly Address[], value: bigint, to: Address): Call;
  sell(path: readonly Address[], amount: bigint, to: Address): Call;
}

const PAIRS = parseAbi([
  'function swapExactETHForTokens(uint256, address[], address, uint256) payable',
  'function swapExactTokensForETH(uint256, uint256, address[], address, uint256)',
]);
const CAMELOT = parseAbi([
  'function swapExactETHForTokensSupportingFeeOnTransferTokens(uint256, address[], address, address, uint256) payable',
  'function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256, uint256, address[], address, address, uint256)',
]);
const V3 = parseAbi([
  'function exactInputSingle((address, address, uint24, address, uint256, uint256, uint256, uint160)) payable',
]);
const ROUTER_02 = parseAbi([
  'function exactInputSingle((address, address, uint24, address, uint256, uint256, uint160)) payable',
]);

const ALGEBRA = parseAbi([
  'function exactInputSingle((address, address, address, address, uint256, uint256, uint256, uint160)) payable',
]);

const algebraSwap = ([from, into]: readonly Address[], amount: bigint, to: Address): Call => ({
  abi: ALGEBRA,
  functionName: 'exactInputSingle',
  args: [[from, into, zeroAddress, to, maxUint256, amount, 0n, 0n]],
});
const v3Swap = ([from, into]: readonly Address[], amount: bigint, to: Address): Call => ({
  abi: V3,
  functionName: 'exactInputSingle',
  args: [[from, into, POOL_FEE, to, maxUint256, amount, 0n, 0n]],
});
const router02Swap = ([from, into]: readonly Address[], amount: bigint, to: Address): Call => ({
  abi: ROUTER_02,
  functionName: 'exactInputSingle',
  args: [[from, into, POOL_FEE, to, amount, 0n, 0n]],
});

const VENUES: Readonly<Record<PoolShape, TradedVenue>> = {
  V2: {
    router: 'v2Router',
    buy: (path, _value, to) => ({
      abi: PAIRS,
      functionName: 'swapExactETHForTokens',
      args: [0n, path, to, maxUint256],
    }),
    sell: (path, amount, to) => ({
      abi: PAIRS,
      functionName: 'swapExactTokensForETH',
      args: [amount, 0n, path, to, maxUint256],
    }),
  },
  Camelot: {
    router: 'camelotRouter',
    buy: (path, _value, to) => ({
      abi: CAMELOT,
      functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens',
      args: [0n, path, to, zeroAddress, maxUint256],
    }),
    sell: (path, amount, to) => ({
      abi: CAMELOT,
      functionName: 'swapExactTokensForETHSupportingFeeOnTransferTokens',
      args: [amount, 0n, path, to, zeroAddress, maxUint256],
    }),
  },
  V3: { router: 'v3Router', buy: v3Swap, sell: v3Swap },
  'V3 with SwapRouter02': { router: 'router02V3Router', buy: router02Swap, sell: router02Swap },
  Algebra: { router: 'algebraRouter', buy: algebraSwap, sell: algebraSwap },
};

/** A stranger who trades on a job's market from their own account. */
export class PoolTrader {
  private readonly account = privateKeyToAccount(generatePrivateKey());
  private readonly product: ProductClient;
  private readonly market: Market;
  private readonly wallet;

  constructor(product: ProductClient, market: Market) {
    this.product = product;
    this.market = market;
    const transport = http(product.stack.rpcUrl);
    this.wallet = createWalletClient({ chain: product.chain.chain, transport, account: this.account });
  }

  get address(): Address {
    return this.account.address;
  }

  /** Approves the sale of tokens that the trader was given. @param wei balance to set */
  async prepare(wei: bigint): Promise<void> {
    await this.product.control.request('anvil_setBalance', this.address, `0x${wei.toString(16)}`);
    const args = [this.router, maxUint256] as const;
    await this.inBlocks([
      { to: this.market.token, data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }) },
    ]);
  }

  /** @param value wei */
  async buys(value: bigint): Promise<void> {
    await this.inBlocks([this.buying(value)]);
  }

  /** @param amount smallest units */
  async sells(amount: bigint): Promise<void> {
    await this.inBlocks([this.selling(amount)]);
  }

  /** Buys before all transactions that wait without a tip, and sells after them. @returns the block of the purchase */
  async sandwiches(value: bigint, amount: bigint): Promise<bigint> {
    const [bought] = await this.inBlocks([{ ...this.buying(value), tipWei: GWEI }, this.selling(amount)]);
    if (!bought) throw new Error('no purchase was sent');
    return bought.blockNumber;
  }

  private get router(): Address {
    return this.product.stack.contracts[VENUES[this.market.shape].router];
  }

  private buying(value: bigint) {
    const path = [this.product.stack.contracts.whype, this.market.token];
    const data = encodeFunctionData(VENUES[this.market.shape].buy(path, value, this.address));
    return { to: this.router, value, data };
  }

  private selling(amount: bigint) {
    const path = [this.market.token, this.product.stack.contracts.whype];
    return { to: this.router, data: encodeFunctionData(VENUES[this.market.shape].sell(path, amount, this.address)) };
  }

  /** @throws Error if one of them reverts */
  private async inBlocks(
    calls: readonly { to: Address; data: Hex; value?: bigint; tipWei?: bigint }[],
  ): Promise<TransactionReceipt[]> {
    const { chain } = this.product;
    const nonce = await chain.getTransactionCount({ address: this.address });
    const hashes: Hex[] = [];
    for (const [index, { tipWei = 0n, ...call }] of calls.entries()) {
      const fees = { gas: TRADE_GAS, maxFeePerGas: ANY_BASE_FEE, maxPriorityFeePerGas: tipWei };
      hashes.push(await this.wallet.sendTransaction({ ...call, ...fees, nonce: nonce + index }));
    }
    const receipts = await Promise.all(hashes.map((hash) => chain.waitForTransactionReceipt({ hash })));
    for (const { status, transactionHash } of receipts) {
      if (status === 'reverted') throw new Error(`the trade ${transactionHash} of a stranger was reverted`);
    }
    return receipts;
  }
}
