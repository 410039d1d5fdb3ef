import {
  type Abi,
  type Address,
  encodeFunctionData,
  erc20Abi,
  getContractAddress,
  getCreate2Address,
  keccak256,
  maxUint256,
} from 'viem';
import { encodePacked } from 'viem/utils';
import { type Artifact, publishedArtifact } from './artifacts.ts';
import type { ChainContracts, PoolMakers } from './deploy-exchanges.ts';
import type { DeploymentBatch } from './deployment-batch.ts';
import { type FeeTier, fullRange, openingPrice } from './full-range.ts';

type Contracts = Omit<ChainContracts, 'multicall3'>;

/** What both sides of a new pool are. */
export interface PoolSides {
  readonly token: Address;
  /** In the token's smallest unit. */
  readonly tokens: bigint;
  /** Wei. */
  readonly hype: bigint;
}

const NO_DEADLINE = maxUint256;

/** Opens pools against wrapped HYPE whose liquidity belongs to the deployer, who must hold the tokens. */
export class PoolOpener {
  private readonly batch: DeploymentBatch;
  private readonly deployer: Address;
  private readonly contracts: Contracts;
  private readonly makers: PoolMakers;
  private camelotPairs = 0n;

  constructor(batch: DeploymentBatch, deployer: Address, contracts: Contracts, makers: PoolMakers) {
    this.batch = batch;
    this.deployer = deployer;
    this.contracts = contracts;
    this.makers = makers;
  }

  /** @returns the pair's address */
  async v2(sides: PoolSides): Promise<Address> {
    await this.addToPair(this.contracts.v2Router, this.makers.v2Router, sides);
    const { bytecode } = await publishedArtifact('@uniswap/v2-core/build/UniswapV2Pair.json');
    const [first, second] = inOrder(sides.token, this.contracts.whype);
    const salt = keccak256(encodePacked(['address', 'address'], [first, second]));
    return getCreate2Address({ from: this.contracts.v2Factory, salt, bytecode });
  }

  /** @returns the pair's address */
  async camelot(sides: PoolSides): Promise<Address> {
    await this.addToPair(this.contracts.camelotRouter, this.makers.camelotRouter, sides);
    this.camelotPairs += 1n;
    // A contract's first creation has nonce 1.
    return getContractAddress({ from: this.contracts.camelotFactory, nonce: this.camelotPairs });
  }

  /** A Camelot pair on the curve for two tokens of about the same value. */
  async stable(sides: PoolSides): Promise<void> {
    await this.batch.call(`stable curve of ${sides.token}`, {
      to: await this.camelot(sides),
      artifact: this.makers.camelotPair,
      functionName: 'setStableSwap',
      args: [true],
    });
  }

  /** @param fee in hundredths of a basis point @param manager of the one or the other V3 venue */
  async v3({ token, tokens, hype }: PoolSides, fee: FeeTier, manager: Address): Promise<void> {
    await this.approve(token, manager);
    const sides = [
      { address: token, amount: tokens },
      { address: this.contracts.whype, amount: hype },
    ];
    const [first, second] = inOrder(token, this.contracts.whype)[0] === token ? sides : sides.reverse();
    if (!first || !second) throw new Error('a pool has two sides');
    const { abi } = this.makers.v3PositionManager;
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
      recipient: this.deployer,
      deadline: NO_DEADLINE,
    };
    const mint = encodeFunctionData({ abi, functionName: 'mint', args: [position] });
    const refund = encodeFunctionData({ abi, functionName: 'refundETH', args: [] });
    await this.batch.call(`V3 pool of ${token}`, {
      to: manager,
      artifact: this.makers.v3PositionManager,
      functionName: 'multicall',
      args: [[create, mint, refund]],
      value: hype,
    });
  }

  private async addToPair(router: Address, artifact: Artifact, { token, tokens, hype }: PoolSides): Promise<void> {
    await this.approve(token, router);
    await this.batch.call(`pair of ${token}`, {
      to: router,
      artifact,
      functionName: 'addLiquidityETH',
      args: [token, tokens, 0n, 0n, this.deployer, NO_DEADLINE],
      value: hype,
    });
  }

  private async approve(token: Address, spender: Address): Promise<void> {
    await this.batch.call(`approve ${token}`, {
      to: token,
      artifact: { abi: erc20Abi as Abi },
      functionName: 'approve',
      args: [spender, maxUint256],
    });
  }
}

/** Pools hold their two tokens in the order of the addresses. */
function inOrder(one: Address, other: Address): readonly [Address, Address] {
  return BigInt(one) < BigInt(other) ? [one, other] : [other, one];
}
