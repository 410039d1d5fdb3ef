import { ACCOUNT_INDEX, type DemoToken, demoAccount, type StackDescription } from '@maker/local-stack';
import { type Abi, type Address, createWalletClient, http, isAddressEqual, maxUint128, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import type { PoolShape } from '../adversary/markets.ts';
import type { ProductClient } from '../support/product-client.ts';

const FACTORIES = parseAbi([
  'function getPair(address, address) view returns (address)',
  'function getPool(address, address, uint24) view returns (address)',
  'function poolByPair(address, address) view returns (address)',
]);
const PAIR = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function transfer(address, uint256) returns (bool)',
  'function burn(address) returns (uint256, uint256)',
]);
const POSITIONS = parseAbi([
  'function totalSupply() view returns (uint256)',
  // Algebra Integral has the deployer in the word of V3's fee.
  'function positions(uint256) view returns (uint96, address, address, address, uint256, int24, int24, uint128, uint256, uint256, uint128, uint128)',
  'function decreaseLiquidity((uint256 tokenId, uint128 liquidity, uint256 amount0Min, uint256 amount1Min, uint256 deadline)) returns (uint256, uint256)',
]);

/** A venue of the local chain, and the only token traded there. */
export interface VenueShape {
  readonly what: string;
  readonly token: DemoToken;
  /** Its name in `openMarkets`. */
  readonly shape: PoolShape;
  /** The pool of its token. */
  pool(product: ProductClient): Promise<Address>;
  /** Removes all liquidity from a token's pool there; by default from its own token's pool. */
  pullLiquidity(product: ProductClient, token?: Address): Promise<void>;
}

type Place = keyof StackDescription['contracts'];

function pairVenue(what: string, shape: PoolShape, token: DemoToken, factory: Place): VenueShape {
  const pool = ({ chain, stack: { contracts, tokens } }: ProductClient, traded: Address = tokens[token]) =>
    chain.readContract({
      address: contracts[factory],
      abi: FACTORIES,
      functionName: 'getPair',
      args: [traded, contracts.whype],
    });
  return {
    what,
    shape,
    token,
    pool,
    async pullLiquidity(product, traded) {
      const pair = await pool(product, traded);
      const { address } = demoAccount(ACCOUNT_INDEX.deployer);
      const shares = await product.chain.readContract({
        address: pair,
        abi: PAIR,
        functionName: 'balanceOf',
        args: [address],
      });
      await asDeployer(product, pair, PAIR, 'transfer', [pair, shares]);
      await asDeployer(product, pair, PAIR, 'burn', [address]);
    },
  };
}

function concentratedVenue(
  what: string,
  shape: PoolShape,
  token: DemoToken,
  { positions, pool }: { positions: Place; pool: VenueShape['pool'] },
): VenueShape {
  return {
    what,
    shape,
    token,
    pool,
    async pullLiquidity(product, traded = product.stack.tokens[token]) {
      const { chain, stack } = product;
      const manager = { address: stack.contracts[positions], abi: POSITIONS } as const;
      const count = await chain.readContract({ ...manager, functionName: 'totalSupply' });
      for (let tokenId = 1n; tokenId <= count; tokenId += 1n) {
        const position = await chain.readContract({ ...manager, functionName: 'positions', args: [tokenId] });
        const [, , token0, token1, , , , liquidity] = position;
        if (![token0, token1].some((side) => isAddressEqual(side, traded))) continue;
        const all = { tokenId, liquidity, amount0Min: 0n, amount1Min: 0n, deadline: maxUint128 };
        await asDeployer(product, manager.address, POSITIONS, 'decreaseLiquidity', [all]);
      }
    },
  };
}

/** The pool of a V3 venue, with its fee. */
function v3Pool(token: DemoToken, factory: Place, fee: number): VenueShape['pool'] {
  return ({ chain, stack: { contracts, tokens } }) =>
    chain.readContract({
      address: contracts[factory],
      abi: FACTORIES,
      functionName: 'getPool',
      args: [tokens[token], contracts.whype, fee],
    });
}

/**
 * The shapes of mainnet's venues, each with a token that only it trades. Of V3, each router and each quoter once: their combination
 * makes no difference (`uniswap-v3-adapter.spec.ts`). Source: hyperevm § 2.
 */
export const VENUE_SHAPES: readonly VenueShape[] = [
  pairVenue('Uniswap V2', 'V2', 'v2Only', 'v2Factory'),
  pairVenue('Camelot-type V2', 'Camelot', 'camelotOnly', 'camelotFactory'),
  concentratedVenue('V3 with SwapRouter and QuoterV2', 'V3', 'v3Only', {
    positions: 'v3PositionManager',
    pool: v3Pool('v3Only', 'v3Factory', 500),
  }),
  concentratedVenue('V3 with SwapRouter02 and Quoter V1', 'V3 with SwapRouter02', 'router02Only', {
    positions: 'router02V3PositionManager',
    pool: v3Pool('router02Only', 'router02V3Factory', 3000),
  }),
  concentratedVenue('Algebra Integral with a changing fee', 'Algebra', 'algebraOnly', {
    positions: 'algebraPositionManager',
    pool: ({ chain, stack: { contracts, tokens } }) =>
      chain.readContract({
        address: contracts.algebraFactory,
        abi: FACTORIES,
        functionName: 'poolByPair',
        args: [tokens.algebraOnly, contracts.whype],
      }),
  }),
];

/** Sends transactions as the owner of the local chain's liquidity, one after another. */
async function asDeployer(
  { chain, stack }: ProductClient,
  address: Address,
  abi: Abi,
  functionName: string,
  args: readonly unknown[],
): Promise<void> {
  const sent = sending.then(async () => {
    const account = privateKeyToAccount(demoAccount(ACCOUNT_INDEX.deployer).privateKey);
    const wallet = createWalletClient({ account, chain: chain.chain, transport: http(stack.rpcUrl) });
    // Enough even after a trade in between.
    const hash = await wallet.writeContract({ address, abi, functionName, args, gas: 500_000n });
    const { status } = await chain.waitForTransactionReceipt({ hash });
    if (status !== 'success') throw new Error(`${functionName} at ${address} was reverted`);
  });
  sending = sent.catch(() => undefined);
  await sent;
}

let sending: Promise<void> = Promise.resolve();
