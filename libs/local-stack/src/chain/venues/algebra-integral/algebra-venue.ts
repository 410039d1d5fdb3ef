import { type Address, encodeAbiParameters, encodeFunctionData, getCreate2Address, keccak256, zeroAddress } from 'viem';
import { contractNamed, publishedArtifact } from '../../artifacts.ts';
import { fullRange, openingPrice } from '../full-range.ts';
import { approve, inOrder, NO_DEADLINE, type Venue } from '../venue.ts';

const core = (path: string) => publishedArtifact(`@cryptoalgebra/integral-core/artifacts/contracts/${path}`);
const periphery = (path: string) => publishedArtifact(`@cryptoalgebra/integral-periphery/artifacts/contracts/${path}`);
const poolArtifact = () => core('AlgebraPool.sol/AlgebraPool.json');
const managerArtifact = () => periphery('NonfungiblePositionManager.sol/NonfungiblePositionManager.json');

/** A pool's configuration: the plugin is called before each swap, and says the fee. */
const BEFORE_SWAP_WITH_FEE = 0b1000_0001;
/** Whose fee tier has the spacing of ticks that the factory begins with. */
const DEFAULT_SPACING = 3000;

/** Algebra Integral of its published artifacts. The plugin of each pool changes the fee with every swap. Source: hyperevm § 2.1. */
export const algebraVenue: Venue<
  'algebraFactory' | 'algebraPoolDeployer' | 'algebraRouter' | 'algebraPositionManager' | 'algebraQuoter',
  'algebraOnly'
> = {
  token: { key: 'algebraOnly', what: 'a deep pool on Algebra Integral alone', name: 'Only Algebra', symbol: 'ALGEBRA' },
  router: 'algebraRouter',
  async deploy({ batch, deployer }, { whype }) {
    // Each of the two names the other, so that the one that comes second is known before it is there.
    const algebraPoolDeployer = batch.upcoming(1);
    const algebraFactory = await batch.deploy('Algebra factory', await core('AlgebraFactory.sol/AlgebraFactory.json'), [
      algebraPoolDeployer,
    ]);
    await batch.deploy('Algebra pool deployer', await core('AlgebraPoolDeployer.sol/AlgebraPoolDeployer.json'), [
      algebraFactory,
    ]);
    const places = [algebraFactory, whype, algebraPoolDeployer];
    const router = await periphery('SwapRouter.sol/SwapRouter.json');
    const quoter = await periphery('lens/QuoterV2.sol/QuoterV2.json');
    // The descriptor only draws pictures of positions, which nobody here looks at.
    const positions = [algebraFactory, whype, deployer, algebraPoolDeployer];
    return {
      algebraFactory,
      algebraPoolDeployer,
      algebraRouter: await batch.deploy('Algebra router', router, places),
      algebraPositionManager: await batch.deploy('Algebra position manager', await managerArtifact(), positions),
      algebraQuoter: await batch.deploy('Algebra quoter', quoter, places),
    };
  },
  entry: ({ algebraFactory, algebraRouter, algebraQuoter, whype }) => ({
    id: 'algebra',
    kind: 'algebra-integral',
    factory: algebraFactory,
    router: algebraRouter,
    quoter: algebraQuoter,
    wrappedNative: whype,
  }),
  async openPool(deployment, { algebraPoolDeployer, algebraPositionManager: manager, whype }, { token, tokens, hype }) {
    const { batch, deployer, own } = deployment;
    await approve(deployment, token, manager);
    const artifact = await managerArtifact();
    const { abi } = artifact;
    const [token0, token1] = inOrder(token, whype);
    const [amount0, amount1] = token0 === token ? [tokens, hype] : [hype, tokens];
    const create = encodeFunctionData({
      abi,
      functionName: 'createAndInitializePoolIfNecessary',
      args: [token0, token1, zeroAddress, openingPrice(amount0, amount1), '0x'],
    });
    const position = {
      token0,
      token1,
      deployer: zeroAddress,
      ...fullRange(DEFAULT_SPACING),
      amount0Desired: amount0,
      amount1Desired: amount1,
      amount0Min: 0n,
      amount1Min: 0n,
      recipient: deployer,
      deadline: NO_DEADLINE,
    };
    const mint = encodeFunctionData({ abi, functionName: 'mint', args: [position] });
    const refund = encodeFunctionData({ abi, functionName: 'refundNativeToken', args: [] });
    await batch.call(`Algebra pool of ${token}`, {
      to: manager,
      artifact,
      functionName: 'multicall',
      args: [[create, mint, refund]],
      value: hype,
    });
    const pool = await poolOf(algebraPoolDeployer, [token0, token1]);
    const plugin = await batch.deploy(`plugin of ${pool}`, contractNamed(own, 'AlternatingFeePlugin'));
    const administer = async (functionName: string, args: readonly unknown[]) =>
      batch.call(`${functionName} of ${pool}`, { to: pool, artifact: await poolArtifact(), functionName, args });
    await administer('setPlugin', [plugin]);
    await administer('setPluginConfig', [BEFORE_SWAP_WITH_FEE]);
    return pool;
  },
};

async function poolOf(from: Address, tokens: readonly [Address, Address]): Promise<Address> {
  const salt = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'address' }], tokens));
  return getCreate2Address({ from, salt, bytecode: (await poolArtifact()).bytecode });
}
