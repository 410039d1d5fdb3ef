import {
  type Abi,
  type Address,
  createPublicClient,
  createWalletClient,
  erc20Abi,
  type Hash,
  http,
  maxUint256,
  parseEther,
  zeroAddress,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ExchangeChainPart, startChain } from '../parts.ts';
import { ACCOUNT_INDEX } from './accounts.ts';
import { chainTestClient } from './anvil.ts';
import { contractNamed, ownArtifacts, publishedArtifact } from './artifacts.ts';
import type { DemoToken } from './deploy-tokens.ts';
import { localNetwork } from './network.ts';

const ONE_HYPE = parseEther('1');
const FEES = { maxFeePerGas: 10_000_000_000n, maxPriorityFeePerGas: 0n, gas: 1_000_000n };

let chain: ExchangeChainPart;
let abis: Record<'pair' | 'router' | 'factory' | 'v2Router' | 'router02' | 'firstQuoter', Abi>;

beforeAll(async () => {
  chain = await startChain({ exchanges: true, blockSeconds: 0 });
  const own = await ownArtifacts();
  const published = async (path: string): Promise<Abi> => (await publishedArtifact(path)).abi;
  abis = {
    pair: contractNamed(own, 'CamelotPair').abi,
    router: contractNamed(own, 'CamelotRouter').abi,
    factory: contractNamed(own, 'CamelotFactory').abi,
    v2Router: await published('@uniswap/v2-periphery/build/UniswapV2Router02.json'),
    router02: await published('@uniswap/swap-router-contracts/artifacts/contracts/SwapRouter02.sol/SwapRouter02.json'),
    firstQuoter: await published('@uniswap/v3-periphery/artifacts/contracts/lens/Quoter.sol/Quoter.json'),
  };
});
afterAll(() => chain?.stop());

const walletOf = (index: number) =>
  createWalletClient({
    chain: localNetwork(chain.rpcUrl),
    transport: http(chain.rpcUrl),
    account: privateKeyToAccount(chain.accounts[index]?.privateKey ?? '0x'),
  });
const reader = () => createPublicClient({ chain: localNetwork(chain.rpcUrl), transport: http(chain.rpcUrl) });
const trader = (): Address => walletOf(ACCOUNT_INDEX.spare).account.address;

async function mined(sending: Promise<Hash>): Promise<void> {
  const hash = await sending;
  await chainTestClient(chain.rpcUrl).mine({ blocks: 1 });
  const { status } = await reader().getTransactionReceipt({ hash });
  if (status !== 'success') throw new Error('reverted');
}

const balance = (token: Address): Promise<bigint> =>
  reader().readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [trader()] });

function pairOf(token: DemoToken): Promise<Address> {
  const args = [chain.tokens[token], chain.contracts.whype];
  return reader().readContract({
    address: chain.contracts.camelotFactory,
    abi: abis.factory,
    functionName: 'getPair',
    args,
  }) as Promise<Address>;
}

async function quote(path: readonly Address[], amountIn: bigint): Promise<bigint> {
  const router = { address: chain.contracts.camelotRouter, abi: abis.router };
  const amounts = await reader().readContract({ ...router, functionName: 'getAmountsOut', args: [amountIn, path] });
  return (amounts as bigint[])[1] ?? 0n;
}

/** @returns what was quoted */
async function buy(token: Address, value: bigint): Promise<bigint> {
  const path = [chain.contracts.whype, token];
  const quoted = await quote(path, value);
  await mined(
    walletOf(ACCOUNT_INDEX.spare).writeContract({
      address: chain.contracts.camelotRouter,
      abi: abis.router,
      functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens',
      args: [quoted, path, trader(), zeroAddress, maxUint256],
      value,
      ...FEES,
    }),
  );
  return quoted;
}

/** @returns what was quoted, wei */
async function sellAll(token: Address): Promise<bigint> {
  const path = [token, chain.contracts.whype];
  const amount = await balance(token);
  const wallet = walletOf(ACCOUNT_INDEX.spare);
  const spender = chain.contracts.camelotRouter;
  const approval = { address: token, abi: erc20Abi, functionName: 'approve', args: [spender, amount] } as const;
  await mined(wallet.writeContract({ ...approval, ...FEES }));
  const quoted = await quote(path, amount);
  await mined(
    wallet.writeContract({
      address: spender,
      abi: abis.router,
      functionName: 'swapExactTokensForETHSupportingFeeOnTransferTokens',
      args: [amount, quoted, path, trader(), zeroAddress, maxUint256],
      ...FEES,
    }),
  );
  return quoted;
}

async function setFees(token: DemoToken, hypeFee: number, tokenFee: number): Promise<void> {
  const hypeIsFirst = BigInt(chain.contracts.whype) < BigInt(chain.tokens[token]);
  await mined(
    walletOf(ACCOUNT_INDEX.deployer).writeContract({
      address: await pairOf(token),
      abi: abis.pair,
      functionName: 'setFeePercent',
      args: hypeIsFirst ? [hypeFee, tokenFee] : [tokenFee, hypeFee],
      ...FEES,
    }),
  );
}

/** hyperevm § 2.0. */
describe('the venue of the Camelot type', () => {
  it('quotes exactly in both directions with fees', async () => {
    const token = chain.tokens.camelotOnly;
    const atOnce = await buy(token, ONE_HYPE);
    expect(atOnce).toBeGreaterThan(996n * ONE_HYPE);
    await setFees('camelotOnly', 2000, 100);
    const dear = await quote([chain.contracts.whype, token], ONE_HYPE);
    expect(dear).toBeLessThan(981n * ONE_HYPE);
    // 0.3 % was paid on the way in, 0.1 % is on the way out; the 2 % of the other direction would show.
    expect(await sellAll(token)).toBeGreaterThan((9959n * ONE_HYPE) / 10_000n);
    expect(await balance(token)).toBe(0n);
    expect(await buy(token, ONE_HYPE)).toBe(await balance(token));
  });

  it('limits fee changes to owner and two percent', async () => {
    const pair = { address: await pairOf('camelotOnly'), abi: abis.pair, functionName: 'setFeePercent' };
    const by = (index: number, fee: number) =>
      reader().simulateContract({ ...pair, args: [fee, fee], account: chain.accounts[index]?.address ?? '0x' });
    await expect(by(ACCOUNT_INDEX.spare, 300)).rejects.toThrow('OwnerOnly');
    await expect(by(ACCOUNT_INDEX.deployer, 2001)).rejects.toThrow('FeeTooHigh');
  });

  it('reverts canonical swaps', async () => {
    const path = [chain.contracts.whype, chain.tokens.camelotOnly];
    const swap = reader().simulateContract({
      address: chain.contracts.camelotRouter,
      abi: abis.v2Router,
      functionName: 'swapExactETHForTokens',
      args: [0n, path, trader(), maxUint256],
      value: 1n,
      account: trader(),
    });
    await expect(swap).rejects.toThrow('reverted');
  });

  it('keeps a stable pair near par however much is bought', async () => {
    const token = chain.tokens.stableOnly;
    const pair = { address: await pairOf('stableOnly'), abi: abis.pair };
    expect(await reader().readContract({ ...pair, functionName: 'stableSwap' })).toBe(true);
    const quoted = await buy(token, 500n * ONE_HYPE);
    // x·y would give 427.
    expect(quoted).toBeGreaterThan(490n * ONE_HYPE);
    expect(quoted).toBeLessThan(500n * ONE_HYPE);
    expect(await sellAll(token)).toBeGreaterThan(488n * ONE_HYPE);
  });
});

describe('the V3 venue with SwapRouter02 and the first quoter', () => {
  it('pays what it quotes', async () => {
    const token = chain.tokens.router02Only;
    const { result } = await reader().simulateContract({
      address: chain.contracts.router02V3Quoter,
      abi: abis.firstQuoter,
      functionName: 'quoteExactInputSingle',
      args: [chain.contracts.whype, token, 3000, ONE_HYPE, 0n],
    });
    const swap = { tokenIn: chain.contracts.whype, tokenOut: token, fee: 3000, recipient: trader() };
    await mined(
      walletOf(ACCOUNT_INDEX.spare).writeContract({
        address: chain.contracts.router02V3Router,
        abi: abis.router02,
        functionName: 'exactInputSingle',
        args: [{ ...swap, amountIn: ONE_HYPE, amountOutMinimum: result, sqrtPriceLimitX96: 0n }],
        value: ONE_HYPE,
        ...FEES,
      }),
    );
    expect(await balance(token)).toBe(result);
  });
});
