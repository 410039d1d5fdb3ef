import {
  type Abi,
  type Address,
  createPublicClient,
  createWalletClient,
  erc20Abi,
  type Hash,
  http,
  maxUint256,
  parseAbi,
  parseEther,
  zeroAddress,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ExchangeChainPart, startChain } from '../parts.ts';
import { ACCOUNT_INDEX } from './accounts.ts';
import { chainTestClient } from './anvil.ts';
import { publishedArtifact } from './artifacts.ts';
import type { DemoToken } from './deploy-tokens.ts';
import { localNetwork } from './network.ts';

const ONE_HYPE = parseEther('1');

let chain: ExchangeChainPart;
let abis: Record<'v2Factory' | 'v2Router' | 'v3Factory' | 'v3Router' | 'v3Quoter', Abi>;

const connect = () => {
  const network = localNetwork(chain.rpcUrl);
  const account = privateKeyToAccount(chain.accounts[ACCOUNT_INDEX.spare]?.privateKey ?? '0x');
  const transport = http(chain.rpcUrl);
  return {
    account,
    reader: createPublicClient({ chain: network, transport, pollingInterval: 20 }),
    wallet: createWalletClient({ chain: network, transport, account }),
  };
};
let reader: ReturnType<typeof connect>['reader'];
let wallet: ReturnType<typeof connect>['wallet'];
let trader: Address;

beforeAll(async () => {
  chain = await startChain({ exchanges: true, blockSeconds: 0 });
  ({ reader, wallet } = connect());
  trader = wallet.account.address;
  const read = async (path: string): Promise<Abi> => (await publishedArtifact(path)).abi;
  abis = {
    v2Factory: await read('@uniswap/v2-core/build/UniswapV2Factory.json'),
    v2Router: await read('@uniswap/v2-periphery/build/UniswapV2Router02.json'),
    v3Factory: await read('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json'),
    v3Router: await read('@uniswap/v3-periphery/artifacts/contracts/SwapRouter.sol/SwapRouter.json'),
    v3Quoter: await read('@uniswap/v3-periphery/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json'),
  };
});

afterAll(() => chain?.stop());

async function mined(hash: Hash): Promise<void> {
  await chainTestClient(chain.rpcUrl).mine({ blocks: 1 });
  const { status } = await reader.getTransactionReceipt({ hash });
  if (status !== 'success') throw new Error('reverted');
}

const balance = (token: DemoToken): Promise<bigint> =>
  reader.readContract({ address: chain.tokens[token], abi: erc20Abi, functionName: 'balanceOf', args: [trader] });

/** Buys with HYPE on V2. @returns how many tokens the router quoted */
async function buyOnV2(token: DemoToken, value: bigint): Promise<bigint> {
  const path = [chain.contracts.whype, chain.tokens[token]];
  const router = { address: chain.contracts.v2Router, abi: abis.v2Router };
  const amounts = await reader.readContract({ ...router, functionName: 'getAmountsOut', args: [value, path] });
  await mined(
    await wallet.writeContract({
      ...router,
      functionName: 'swapExactETHForTokensSupportingFeeOnTransferTokens',
      args: [0n, path, trader, maxUint256],
      value,
      gas: 1_000_000n,
    }),
  );
  return (amounts as bigint[])[1] ?? 0n;
}

async function sellOnV2(token: DemoToken, amount: bigint): Promise<void> {
  const address = chain.tokens[token];
  const approval = {
    address,
    abi: erc20Abi,
    functionName: 'approve',
    args: [chain.contracts.v2Router, amount],
  } as const;
  await mined(await wallet.writeContract({ ...approval, gas: 100_000n }));
  await mined(
    await wallet.writeContract({
      address: chain.contracts.v2Router,
      abi: abis.v2Router,
      functionName: 'swapExactTokensForETHSupportingFeeOnTransferTokens',
      args: [amount, 0n, [address, chain.contracts.whype], trader, maxUint256],
      gas: 1_000_000n,
    }),
  );
}

/** WHYPE in the token's V2 pair; undefined without a pair. */
async function hypeInPair(token: DemoToken): Promise<bigint | undefined> {
  const { v2Factory, whype } = chain.contracts;
  const args = [chain.tokens[token], whype];
  const pair = await reader.readContract({ address: v2Factory, abi: abis.v2Factory, functionName: 'getPair', args });
  if (pair === zeroAddress) return undefined;
  return reader.readContract({ address: whype, abi: erc20Abi, functionName: 'balanceOf', args: [pair as Address] });
}

describe('V2 pools', () => {
  it.each(['both', 'v2Only'] as const)('buys and sells %s at the quote', async (token) => {
    const quoted = await buyOnV2(token, ONE_HYPE);
    expect(quoted).toBeGreaterThan(990n * ONE_HYPE);
    expect(await balance(token)).toBe(quoted);
    await sellOnV2(token, quoted);
    expect(await balance(token)).toBe(0n);
  });

  it.each(['both', 'v2Only', 'taxed', 'honeypot'] as const)('%s is deep', async (token) => {
    expect(await hypeInPair(token)).toBeGreaterThan(2_000n * ONE_HYPE);
  });

  it('keeps thin under 10 HYPE on both sides', async () => {
    const hype = await hypeInPair('thin');
    expect(hype).toBeGreaterThan(0n);
    expect(2n * (hype ?? 0n)).toBeLessThan(10n * ONE_HYPE);
  });

  it.each(['v3Only', 'unpaired'] as const)('%s has no V2 pool', async (token) => {
    expect(await hypeInPair(token)).toBeUndefined();
  });
});

describe('V3 pools', () => {
  it.each([
    ['both', 3000],
    ['v3Only', 500],
  ] as const)('buys %s in the %d tier at the quote', async (token, fee) => {
    const pool = { tokenIn: chain.contracts.whype, tokenOut: chain.tokens[token], fee, sqrtPriceLimitX96: 0n };
    const quote = await reader.simulateContract({
      address: chain.contracts.v3Quoter,
      abi: abis.v3Quoter,
      functionName: 'quoteExactInputSingle',
      args: [{ ...pool, amountIn: ONE_HYPE }],
    });
    const [quoted] = quote.result as [bigint];
    expect(quoted).toBeGreaterThan(990n * ONE_HYPE);
    const order = { ...pool, recipient: trader, deadline: maxUint256, amountIn: ONE_HYPE, amountOutMinimum: quoted };
    await mined(
      await wallet.writeContract({
        address: chain.contracts.v3Router,
        abi: abis.v3Router,
        functionName: 'exactInputSingle',
        args: [order],
        value: ONE_HYPE,
        gas: 1_000_000n,
      }),
    );
    expect(await balance(token)).toBe(quoted);
  });

  it.each(['v2Only', 'thin', 'taxed', 'unpaired', 'honeypot'] as const)('%s has no V3 pool', async (token) => {
    for (const fee of [500, 3000, 10000]) {
      const pool = await reader.readContract({
        address: chain.contracts.v3Factory,
        abi: abis.v3Factory,
        functionName: 'getPool',
        args: [chain.tokens[token], chain.contracts.whype, fee],
      });
      expect(pool).toBe(zeroAddress);
    }
  });
});

describe('tokens that must be refused', () => {
  it('the honeypot can be bought and cannot be sold', async () => {
    await buyOnV2('honeypot', ONE_HYPE);
    const bought = await balance('honeypot');
    expect(bought).toBeGreaterThan(0n);
    await expect(sellOnV2('honeypot', bought)).rejects.toThrow('reverted');
    expect(await balance('honeypot')).toBe(bought);
  });

  it('delivers 5 % less for the taxed token', async () => {
    const quoted = await buyOnV2('taxed', ONE_HYPE);
    expect(await balance('taxed')).toBe(quoted - (quoted * 5n) / 100n);
  });
});

describe('the chain', () => {
  it('batches reads through Multicall3', async () => {
    const abi = parseAbi([
      'function getBlockNumber() view returns (uint256)',
      'function getEthBalance(address) view returns (uint256)',
    ]);
    const multicall3 = { address: chain.contracts.multicall3, abi } as const;
    const [block, wealth, nothing] = await reader.multicall({
      multicallAddress: chain.contracts.multicall3,
      contracts: [
        { ...multicall3, functionName: 'getBlockNumber' },
        { ...multicall3, functionName: 'getEthBalance', args: [trader] },
        { address: trader, abi: erc20Abi, functionName: 'totalSupply' },
      ],
    });
    expect(block).toMatchObject({ status: 'success', result: await reader.getBlockNumber() });
    expect(wealth).toMatchObject({ status: 'success', result: await reader.getBalance({ address: trader }) });
    expect(nothing).toMatchObject({ status: 'failure' });
  });

  it('takes transactions without a priority fee, as HyperEVM does', async () => {
    const fees = { maxPriorityFeePerGas: 0n, maxFeePerGas: 200_000_000n };
    await mined(await wallet.sendTransaction({ to: trader, value: 1n, ...fees }));
  });

  it('accepts transactions with suggested fees', async () => {
    await mined(await wallet.sendTransaction({ to: trader, value: 1n }));
  });
});
