import {
  type Address,
  encodeFunctionData,
  getAddress,
  getCreate2Address,
  keccak256,
  maxUint256,
  parseEther,
} from 'viem';
import { encodePacked } from 'viem/utils';
import { type Artifact, type OwnArtifact, type OwnContract, publishedArtifact } from './artifacts.ts';
import type { ChainContracts, PoolMakers } from './deploy-exchanges.ts';
import type { DeploymentBatch } from './deployment-batch.ts';
import { type FeeTier, fullRange, openingPrice } from './full-range.ts';

/** The demo tokens, by what is special about them. */
export const DEMO_TOKENS = {
  both: 'deep pools on V2 and V3',
  v2Only: 'a deep pool on V2 alone',
  v3Only: 'a deep pool on V3 alone',
  thin: 'a pool under the minimum of 10 HYPE',
  taxed: 'takes a fee of 5 % from every transfer',
  unpaired: 'no pool at all',
  honeypot: 'can be bought, cannot be sold',
} as const;

/** Name of a demo token, as in `stack.json`. */
export type DemoToken = keyof typeof DEMO_TOKENS;

/** Addresses of the demo tokens. */
export type DemoTokens = Record<DemoToken, Address>;

const SUPPLY = parseEther('1000000000');
const TOKENS_PER_HYPE = 1_000n;
const DEEP = parseEther('3000');
const THIN = parseEther('4');
const NO_DEADLINE = maxUint256;

/** Deploys the demo tokens with their pools. The deployer owns all of it. */
export async function deployTokens(
  batch: DeploymentBatch,
  deployer: Address,
  contracts: Omit<ChainContracts, 'multicall3'>,
  makers: PoolMakers,
  own: Record<OwnContract, OwnArtifact>,
): Promise<DemoTokens> {
  const token = async (name: string, symbol: string, artifact: Artifact = own.DemoToken): Promise<Address> => {
    const address = await batch.deploy(symbol, artifact, [name, symbol, SUPPLY]);
    for (const spender of [contracts.v2Router, contracts.v3PositionManager]) {
      await batch.call(`${symbol}: approve`, {
        to: address,
        artifact,
        functionName: 'approve',
        args: [spender, maxUint256],
      });
    }
    return address;
  };
  const openV2Pool = (address: Address, hype: bigint): Promise<void> =>
    batch.call(`V2 pool of ${address}`, {
      to: contracts.v2Router,
      artifact: makers.v2Router,
      functionName: 'addLiquidityETH',
      args: [address, hype * TOKENS_PER_HYPE, 0n, 0n, deployer, NO_DEADLINE],
      value: hype,
    });
  const openV3Pool = (address: Address, hype: bigint, fee: FeeTier): Promise<void> => {
    const sides = [
      { address, amount: hype * TOKENS_PER_HYPE },
      { address: contracts.whype, amount: hype },
    ];
    // V3 orders the two tokens of a pool by address.
    const [first, second] = BigInt(address) < BigInt(contracts.whype) ? sides : sides.reverse();
    if (!first || !second) throw new Error('a pool has two sides');
    const { abi } = makers.v3PositionManager;
    const create = encodeFunctionData({
      abi,
      functionName: 'createAndInitializePoolIfNecessary',
      args: [first.address, second.address, fee, openingPrice(first.amount, second.amount)],
    });
    const position = {
      token0: first.address,
      token1: second.address,
      fee,
      ...fullRange(fee),
      amount0Desired: first.amount,
      amount1Desired: second.amount,
      amount0Min: 0n,
      amount1Min: 0n,
      recipient: deployer,
      deadline: NO_DEADLINE,
    };
    const mint = encodeFunctionData({ abi, functionName: 'mint', args: [position] });
    const refund = encodeFunctionData({ abi, functionName: 'refundETH', args: [] });
    return batch.call(`V3 pool of ${address}`, {
      to: contracts.v3PositionManager,
      artifact: makers.v3PositionManager,
      functionName: 'multicall',
      args: [[create, mint, refund]],
      value: hype,
    });
  };

  const both = await token('Both Pools', 'BOTH');
  const v2Only = await token('Only V2', 'VTWO');
  const v3Only = await token('Only V3', 'VTHREE');
  const thin = await token('Thin Pool', 'THIN');
  const taxed = await token('Taxed Transfers', 'TAXED', own.TaxedToken);
  const unpaired = await token('Unpaired', 'LONELY');
  const honeypot = await token('Honeypot', 'HONEY', own.HoneypotToken);

  await openV2Pool(both, DEEP);
  await openV3Pool(both, DEEP, 3000);
  await openV2Pool(v2Only, DEEP);
  await openV3Pool(v3Only, DEEP, 500);
  await openV2Pool(thin, THIN);
  await openV2Pool(taxed, DEEP);
  await openV2Pool(honeypot, DEEP);
  await batch.call('HONEY: close the market', {
    to: honeypot,
    artifact: own.HoneypotToken,
    functionName: 'closeMarket',
    args: [await pairAddress(contracts, honeypot)],
  });
  return { both, v2Only, v3Only, thin, taxed, unpaired, honeypot };
}

/** Where the V2 factory puts the pair of a token with WHYPE. */
async function pairAddress(contracts: Omit<ChainContracts, 'multicall3'>, token: Address): Promise<Address> {
  const { bytecode } = await publishedArtifact('@uniswap/v2-core/build/UniswapV2Pair.json');
  const sorted = [getAddress(token), getAddress(contracts.whype)].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
  return getCreate2Address({
    from: contracts.v2Factory,
    salt: keccak256(encodePacked(['address', 'address'], sorted as [Address, Address])),
    bytecode,
  });
}
