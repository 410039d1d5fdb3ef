import { type Address, encodeFunctionData } from 'viem';
import { publishedArtifact } from '../../artifacts.ts';
import { fullRange, openingPrice } from '../full-range.ts';
import { approve, type Deployment, inOrder, NO_DEADLINE, type PoolSides, type Venue } from '../venue.ts';

const periphery = (path: string) => publishedArtifact(`@uniswap/v3-periphery/artifacts/contracts/${path}`);
const factoryArtifact = () =>
  publishedArtifact('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json');
const managerArtifact = () => periphery('NonfungiblePositionManager.sol/NonfungiblePositionManager.json');

/** Uniswap V3 of its published artifacts, with SwapRouter and the second quoter. */
export const uniswapV3Venue: Venue<'v3Factory' | 'v3Router' | 'v3PositionManager' | 'v3Quoter', 'v3Only'> = {
  token: { key: 'v3Only', what: 'a deep pool on V3 alone', name: 'Only V3', symbol: 'VTHREE', fee: 500 },
  router: 'v3Router',
  async deploy({ batch, deployer }, { whype }) {
    const v3Factory = await batch.deploy('V3 factory', await factoryArtifact());
    const v3Router = await batch.deploy('V3 router', await periphery('SwapRouter.sol/SwapRouter.json'), [
      v3Factory,
      whype,
    ]);
    // The descriptor only draws pictures of positions, which nobody here looks at.
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
    openV3Pool(deployment, { manager: v3PositionManager, whype }, sides),
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
    openV3Pool(deployment, { manager: router02V3PositionManager, whype }, sides),
};

/** Opens a pool with one position over all prices. @param manager of the one or the other V3 venue */
async function openV3Pool(
  deployment: Deployment,
  { manager, whype }: { readonly manager: Address; readonly whype: Address },
  { token, tokens, hype, fee = 3000 }: PoolSides,
): Promise<undefined> {
  await approve(deployment, token, manager);
  const artifact = await managerArtifact();
  const { abi } = artifact;
  const [token0, token1] = inOrder(token, whype);
  const [amount0, amount1] = token0 === token ? [tokens, hype] : [hype, tokens];
  const create = encodeFunctionData({
    abi,
    functionName: 'createAndInitializePoolIfNecessary',
    args: [token0, token1, fee, openingPrice(amount0, amount1)],
  });
  const position = {
    token0,
    token1,
    fee,
    ...fullRange(fee),
    amount0Desired: amount0,
    amount1Desired: amount1,
    amount0Min: 0n,
    amount1Min: 0n,
    recipient: deployment.deployer,
    deadline: NO_DEADLINE,
  };
  const mint = encodeFunctionData({ abi, functionName: 'mint', args: [position] });
  const refund = encodeFunctionData({ abi, functionName: 'refundETH', args: [] });
  await deployment.batch.call(`V3 pool of ${token}`, {
    to: manager,
    artifact,
    functionName: 'multicall',
    args: [[create, mint, refund]],
    value: hype,
  });
}
