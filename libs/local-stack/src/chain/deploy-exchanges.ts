import type { Address } from 'viem';
import { type Artifact, publishedArtifact } from './artifacts.ts';
import type { DeploymentBatch } from './deployment-batch.ts';

/** Addresses of the local chain's contracts, as `stack.json` names them. */
export interface ChainContracts {
  whype: Address;
  multicall3: Address;
  v2Factory: Address;
  v2Router: Address;
  v3Factory: Address;
  v3Router: Address;
  v3PositionManager: Address;
  v3Quoter: Address;
}

/** The two artifacts that pools are made with. */
export interface PoolMakers {
  v2Factory: Artifact;
  v2Router: Artifact;
  v3PositionManager: Artifact;
}

/** Deploys Uniswap V2 and V3 from their published artifacts. */
export async function deployExchanges(
  batch: DeploymentBatch,
  deployer: Address,
): Promise<{ contracts: Omit<ChainContracts, 'multicall3'>; makers: PoolMakers }> {
  const v3 = (path: string) => publishedArtifact(`@uniswap/v3-periphery/artifacts/contracts/${path}`);
  const [weth, v2FactoryCode, v2RouterCode, v3FactoryCode, v3RouterCode, positionManagerCode, quoterCode] =
    await Promise.all([
      publishedArtifact('@uniswap/v2-periphery/build/WETH9.json'),
      publishedArtifact('@uniswap/v2-core/build/UniswapV2Factory.json'),
      publishedArtifact('@uniswap/v2-periphery/build/UniswapV2Router02.json'),
      publishedArtifact('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json'),
      v3('SwapRouter.sol/SwapRouter.json'),
      v3('NonfungiblePositionManager.sol/NonfungiblePositionManager.json'),
      v3('lens/QuoterV2.sol/QuoterV2.json'),
    ]);

  const whype = await batch.deploy('WHYPE', weth);
  const v2Factory = await batch.deploy('V2 factory', v2FactoryCode, [deployer]);
  const v2Router = await batch.deploy('V2 router', v2RouterCode, [v2Factory, whype]);
  const v3Factory = await batch.deploy('V3 factory', v3FactoryCode);
  const v3Router = await batch.deploy('V3 router', v3RouterCode, [v3Factory, whype]);
  // The descriptor only draws pictures of positions, which nobody here looks at.
  const v3PositionManager = await batch.deploy('V3 position manager', positionManagerCode, [
    v3Factory,
    whype,
    deployer,
  ]);
  const v3Quoter = await batch.deploy('V3 quoter', quoterCode, [v3Factory, whype]);
  return {
    contracts: { whype, v2Factory, v2Router, v3Factory, v3Router, v3PositionManager, v3Quoter },
    makers: { v2Factory: v2FactoryCode, v2Router: v2RouterCode, v3PositionManager: positionManagerCode },
  };
}
