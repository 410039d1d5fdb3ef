import { type Address, encodeDeployData, getCreate2Address, keccak256 } from 'viem';
import { encodePacked } from 'viem/utils';
import { contractNamed } from '../artifacts.ts';
import { addToPair, type Contracts, type Deployment, inOrder, type PoolSides, type Venue } from './venue.ts';

type Name = 'camelotFactory' | 'camelotRouter';

/** A venue of the Camelot type, from our own contracts (`contracts/Camelot*.sol`). Source: hyperevm § 2.0. */
export const camelotVenue: Venue<Name, 'camelotOnly'> = {
  token: { key: 'camelotOnly', what: 'a deep pool of the Camelot type alone', name: 'Only Camelot', symbol: 'CAMEL' },
  router: 'camelotRouter',
  async deploy({ batch, deployer, own }, { whype }) {
    const camelotFactory = await batch.deploy('Camelot factory', contractNamed(own, 'CamelotFactory'), [deployer]);
    const router = contractNamed(own, 'CamelotRouter');
    return { camelotFactory, camelotRouter: await batch.deploy('Camelot router', router, [camelotFactory, whype]) };
  },
  entry: ({ camelotFactory, camelotRouter, whype }) => ({
    id: 'camelot',
    kind: 'camelot-v2',
    factory: camelotFactory,
    router: camelotRouter,
    wrappedNative: whype,
  }),
  openPool: openPair,
};

async function openPair(
  deployment: Deployment,
  { camelotFactory, camelotRouter, whype }: Contracts<Name>,
  sides: PoolSides,
): Promise<Address> {
  await addToPair(deployment, camelotRouter, contractNamed(deployment.own, 'CamelotRouter'), sides);
  const tokens = inOrder(sides.token, whype);
  const { abi, bytecode } = contractNamed(deployment.own, 'CamelotPair');
  return getCreate2Address({
    from: camelotFactory,
    salt: keccak256(encodePacked(['address', 'address'], tokens)),
    bytecode: encodeDeployData({ abi, bytecode, args: tokens }),
  });
}

/** Opens a pair with the stable curve for two tokens of about the same value. */
export async function openStablePair(
  deployment: Deployment,
  contracts: Contracts<Name>,
  sides: PoolSides,
): Promise<void> {
  await deployment.batch.call(`stable curve of ${sides.token}`, {
    to: await openPair(deployment, contracts, sides),
    artifact: contractNamed(deployment.own, 'CamelotPair'),
    functionName: 'setStableSwap',
    args: [true],
  });
}
