import { getCreate2Address, keccak256 } from 'viem';
import { encodePacked } from 'viem/utils';
import { publishedArtifact } from '../artifacts.ts';
import { addToPair, inOrder, type Venue } from './venue.ts';

const ROUTER = '@uniswap/v2-periphery/build/UniswapV2Router02.json';

/** Uniswap V2 from its published artifacts. */
export const uniswapV2Venue: Venue<'v2Factory' | 'v2Router', 'v2Only'> = {
  token: { key: 'v2Only', what: 'a deep pool on V2 alone', name: 'Only V2', symbol: 'VTWO' },
  router: 'v2Router',
  async deploy({ batch, deployer }, { whype }) {
    const [factory, router] = await Promise.all([
      publishedArtifact('@uniswap/v2-core/build/UniswapV2Factory.json'),
      publishedArtifact(ROUTER),
    ]);
    const v2Factory = await batch.deploy('V2 factory', factory, [deployer]);
    return { v2Factory, v2Router: await batch.deploy('V2 router', router, [v2Factory, whype]) };
  },
  entry: ({ v2Factory, v2Router, whype }) => ({
    id: 'uniswap-v2',
    kind: 'uniswap-v2',
    factory: v2Factory,
    router: v2Router,
    wrappedNative: whype,
  }),
  async openPool(deployment, { v2Factory, v2Router, whype }, sides) {
    await addToPair(deployment, v2Router, await publishedArtifact(ROUTER), sides);
    const { bytecode } = await publishedArtifact('@uniswap/v2-core/build/UniswapV2Pair.json');
    const salt = keccak256(encodePacked(['address', 'address'], inOrder(sides.token, whype)));
    return getCreate2Address({ from: v2Factory, salt, bytecode });
  },
};
