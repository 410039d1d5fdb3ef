import type { Address } from 'viem';
import { type Artifact, type OwnArtifact, type OwnContract, publishedArtifact } from './artifacts.ts';
import type { DeploymentBatch } from './deployment-batch.ts';

/** Addresses of the local chain's contracts, as `stack.json` names them. */
export interface ChainContracts {
  whype: Address;
  multicall3: Address;
  v2Factory: Address;
  v2Router: Address;
  camelotFactory: Address;
  camelotRouter: Address;
  v3Factory: Address;
  v3Router: Address;
  v3PositionManager: Address;
  v3Quoter: Address;
  router02V3Factory: Address;
  router02V3Router: Address;
  router02V3PositionManager: Address;
  router02V3Quoter: Address;
}

/** Every router of the local chain, where orders may go. */
export function routersOf(contracts: ChainContracts): readonly Address[] {
  return [contracts.v2Router, contracts.camelotRouter, contracts.v3Router, contracts.router02V3Router];
}

/** The artifacts that pools are made with. */
export interface PoolMakers {
  v2Router: Artifact;
  camelotRouter: Artifact;
  camelotPair: Artifact;
  v3PositionManager: Artifact;
}

/** The artifacts that pools of the venues are made with. @param own compiled contracts of this library */
export async function poolMakers(own: Record<OwnContract, OwnArtifact>): Promise<PoolMakers> {
  const [v2Router, v3PositionManager] = await Promise.all([
    publishedArtifact('@uniswap/v2-periphery/build/UniswapV2Router02.json'),
    publishedArtifact(
      '@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json',
    ),
  ]);
  return { v2Router, camelotRouter: own.CamelotRouter, camelotPair: own.CamelotPair, v3PositionManager };
}

/**
 * Deploys a venue in every shape that mainnet has: Uniswap V2, Camelot, V3 with SwapRouter and the second quoter, V3 with
 * SwapRouter02 and the first quoter. Uniswap's are of their published artifacts. Source: design § 9, hyperevm § 2.
 * @param deployer owner of every factory
 */
export async function deployExchanges(
  batch: DeploymentBatch,
  deployer: Address,
  own: Record<OwnContract, OwnArtifact>,
): Promise<{ contracts: Omit<ChainContracts, 'multicall3'>; makers: PoolMakers }> {
  const v3 = (path: string) => publishedArtifact(`@uniswap/v3-periphery/artifacts/contracts/${path}`);
  const makers = await poolMakers(own);
  const { v2Router: v2RouterCode, v3PositionManager } = makers;
  const [weth, v2FactoryCode, v3FactoryCode] = await Promise.all([
    publishedArtifact('@uniswap/v2-periphery/build/WETH9.json'),
    publishedArtifact('@uniswap/v2-core/build/UniswapV2Factory.json'),
    publishedArtifact('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json'),
  ]);
  const [routerCode, router02Code, quoterCode, firstQuoterCode] = await Promise.all([
    v3('SwapRouter.sol/SwapRouter.json'),
    publishedArtifact('@uniswap/swap-router-contracts/artifacts/contracts/SwapRouter02.sol/SwapRouter02.json'),
    v3('lens/QuoterV2.sol/QuoterV2.json'),
    v3('lens/Quoter.sol/Quoter.json'),
  ]);
  const whype = await batch.deploy('WHYPE', weth);
  const v2Factory = await batch.deploy('V2 factory', v2FactoryCode, [deployer]);
  const v2Router = await batch.deploy('V2 router', v2RouterCode, [v2Factory, whype]);
  const camelotFactory = await batch.deploy('Camelot factory', own.CamelotFactory, [deployer]);
  const camelotRouter = await batch.deploy('Camelot router', own.CamelotRouter, [camelotFactory, whype]);

  // The descriptor only draws pictures of positions, which nobody here looks at.
  const positionManager = (factory: Address) =>
    batch.deploy('V3 position manager', v3PositionManager, [factory, whype, deployer]);
  const v3Factory = await batch.deploy('V3 factory', v3FactoryCode);
  const v3Router = await batch.deploy('V3 router', routerCode, [v3Factory, whype]);
  const v3Manager = await positionManager(v3Factory);
  const v3Quoter = await batch.deploy('V3 quoter', quoterCode, [v3Factory, whype]);

  const router02V3Factory = await batch.deploy("Router02's V3 factory", v3FactoryCode);
  const router02V3Manager = await positionManager(router02V3Factory);
  const router02V3Router = await batch.deploy('V3 router 02', router02Code, [
    v2Factory,
    router02V3Factory,
    router02V3Manager,
    whype,
  ]);
  const router02V3Quoter = await batch.deploy('First V3 quoter', firstQuoterCode, [router02V3Factory, whype]);
  return {
    contracts: {
      whype,
      v2Factory,
      v2Router,
      camelotFactory,
      camelotRouter,
      v3Factory,
      v3Router,
      v3PositionManager: v3Manager,
      v3Quoter,
      router02V3Factory,
      router02V3Router,
      router02V3PositionManager: router02V3Manager,
      router02V3Quoter,
    },
    makers,
  };
}
