import type { Address } from 'viem';
import { publishedArtifact } from '../artifacts.ts';
import { openConcentratedPool } from './concentrated-pool.ts';
import type { Deployment, PoolSides, Venue } from './venue.ts';

const periphery = (path: string) => publishedArtifact(`@uniswap/v3-periphery/artifacts/contracts/${path}`);
const factoryArtifact = () =>
  publishedArtifact('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json');
const managerArtifact = () => periphery('NonfungiblePositionManager.sol/NonfungiblePositionManager.json');

/** Uniswap V3 from its published artifacts, with SwapRouter and the second quoter. */
export const uniswapV3Venue: Venue<'v3Factory' | 'v3Router' | 'v3PositionManager' | 'v3Quoter', 'v3Only'> = {
  token: { key: 'v3Only', what: 'a deep pool on V3 alone', name: 'Only V3', symbol: 'VTHREE', fee: 500 },
  router: 'v3Router',
  async deploy({ batch, deployer }, { whype }) {
    const v3Factory = await batch.deploy('V3 factory', await factoryArtifact());
    const v3Router = await batch.deploy('V3 router', await periphery('SwapRouter.sol/SwapRouter.json'), [
      v3Factory,
      whype,
    ]);
    // The deployer's address in place of the descriptor, which only draws pictures of positions: nothing here reads them.
    const positions = [v3Factory, whype, deployer];
    const v3PositionManager = await batch.deploy('V3 position manager', await managerArtifact(), positions);
    const quoter = await periphery('lens/QuoterV2.sol/QuoterV2.json');
    return {
      v3Factory,
      v3Router,
      v3PositionManager,
      v3Quoter: await batch.deploy('V3 quoter', quoter, [v3Factory, whype]),
    };
  },
  entry: ({ v3Factory, v3Router, v3Quoter, whype }) => ({
    id: 'uniswap-v3',
    kind: 'uniswap-v3',
    factory: v3Factory,
    router: v3Router,
    quoter: v3Quoter,
    wrappedNative: whype,
    routerHasDeadline: true,
  }),
  openPool: (deployment, { v3PositionManager, whype }, sides) =>
    openV3Pool(deployment, v3PositionManager, whype, sides),
};

/** Uniswap V3 with SwapRouter02 and the first quoter. */
export const uniswapV3Router02Venue: Venue<
  'router02V3Factory' | 'router02V3Router' | 'router02V3PositionManager' | 'router02V3Quoter',
  'router02Only'
> = {
  token: {
    key: 'router02Only',
    what: 'a deep pool alone on the V3 that has SwapRouter02 and the first quoter',
    name: 'Only Router 02',
    symbol: 'ROUTER',
  },
  router: 'router02V3Router',
  async deploy({ batch, deployer }, { whype, v2Factory }) {
    const router = await publishedArtifact(
      '@uniswap/swap-router-contracts/artifacts/contracts/SwapRouter02.sol/SwapRouter02.json',
    );
    const router02V3Factory = await batch.deploy("Router02's V3 factory", await factoryArtifact());
    const positions = [router02V3Factory, whype, deployer];
    const router02V3PositionManager = await batch.deploy('V3 position manager', await managerArtifact(), positions);
    const places = [v2Factory, router02V3Factory, router02V3PositionManager, whype];
    const router02V3Router = await batch.deploy('V3 router 02', router, places);
    const quoter = await periphery('lens/Quoter.sol/Quoter.json');
    return {
      router02V3Factory,
      router02V3Router,
      router02V3PositionManager,
      router02V3Quoter: await batch.deploy('First V3 quoter', quoter, [router02V3Factory, whype]),
    };
  },
  entry: ({ router02V3Factory, router02V3Router, router02V3Quoter, whype }) => ({
    id: 'uniswap-v3-router02',
    kind: 'uniswap-v3',
    factory: router02V3Factory,
    router: router02V3Router,
    quoter: router02V3Quoter,
    wrappedNative: whype,
  }),
  openPool: (deployment, { router02V3PositionManager, whype }, sides) =>
    openV3Pool(deployment, router02V3PositionManager, whype, sides),
};

/** Opens a pool of a fee tier, default 0.3 %. @param address of the position manager of one of the two V3 venues */
async function openV3Pool(
  deployment: Deployment,
  address: Address,
  whype: Address,
  sides: PoolSides,
): Promise<undefined> {
  const { fee = 3000 } = sides;
  const artifact = await managerArtifact();
  const manager = { name: 'V3', address, artifact, key: { fee }, creation: [], refund: 'refundETH' };
  await openConcentratedPool(deployment, manager, whype, { ...sides, fee });
}
