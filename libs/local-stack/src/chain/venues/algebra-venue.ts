import { type Address, encodeAbiParameters, getCreate2Address, keccak256, zeroAddress } from 'viem';
import { contractNamed, publishedArtifact } from '../artifacts.ts';
import { openConcentratedPool } from './concentrated-pool.ts';
import type { Venue } from './venue.ts';

const core = (path: string) => publishedArtifact(`@cryptoalgebra/integral-core/artifacts/contracts/${path}`);
const periphery = (path: string) => publishedArtifact(`@cryptoalgebra/integral-periphery/artifacts/contracts/${path}`);
const poolArtifact = () => core('AlgebraPool.sol/AlgebraPool.json');
const managerArtifact = () => periphery('NonfungiblePositionManager.sol/NonfungiblePositionManager.json');

/** A pool's configuration: it calls the plugin before each swap, and the plugin sets the fee. */
const BEFORE_SWAP_WITH_FEE = 0b1000_0001;

/** Algebra Integral from its published artifacts. The plugin of each pool changes the fee with every swap. Source: hyperevm § 2.1. */
export const algebraVenue: Venue<
  'algebraFactory' | 'algebraPoolDeployer' | 'algebraRouter' | 'algebraPositionManager' | 'algebraQuoter',
  'algebraOnly'
> = {
  token: { key: 'algebraOnly', what: 'a deep pool on Algebra Integral alone', name: 'Only Algebra', symbol: 'ALGEBRA' },
  router: 'algebraRouter',
  async deploy({ batch, deployer }, { whype }) {
    // Each constructor needs the other's address, so compute the second address in advance.
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
    // The deployer's address in place of the descriptor, which only draws pictures of positions: nothing here reads them.
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
  async openPool(deployment, { algebraPoolDeployer, algebraPositionManager, whype }, sides) {
    const { batch, own } = deployment;
    const positions = {
      name: 'Algebra',
      address: algebraPositionManager,
      artifact: await managerArtifact(),
      key: { deployer: zeroAddress },
      creation: ['0x'],
      refund: 'refundNativeToken',
    };
    // The factory's initial tick spacing is that of V3's usual fee tier.
    const pair = await openConcentratedPool(deployment, positions, whype, { ...sides, fee: 3000 });
    const pool = await poolOf(algebraPoolDeployer, pair);
    const plugin = await batch.deploy(`plugin of ${pool}`, contractNamed(own, 'AlternatingFeePlugin'));
    const artifact = await poolArtifact();
    const administer = (functionName: string, args: readonly unknown[]) =>
      batch.call(`${functionName} of ${pool}`, { to: pool, artifact, functionName, args });
    await administer('setPlugin', [plugin]);
    await administer('setPluginConfig', [BEFORE_SWAP_WITH_FEE]);
    return pool;
  },
};

async function poolOf(from: Address, tokens: readonly [Address, Address]): Promise<Address> {
  const salt = keccak256(encodeAbiParameters([{ type: 'address' }, { type: 'address' }], tokens));
  return getCreate2Address({ from, salt, bytecode: (await poolArtifact()).bytecode });
}
