import { type Address, type Chain, defineChain } from 'viem';
import { UnknownNetworkError } from './errors.ts';

/** A network that this product supports. */
export interface Network {
  readonly chainId: number;
  readonly name: string;
  /** Without a trailing slash; empty where the network has none. */
  readonly explorerUrl: string;
  /**
   * The canonical wrapped HYPE. Absent where sources disagree (testnet) or where each start deploys a new one (local);
   * each exchange entry names the one that its router uses.
   */
  readonly wrappedNative?: Address;
  /** Multicall3, which reads many contracts in one request. */
  readonly multicall3: Address;
  /** Time between two blocks, ms. */
  readonly blockTimeMs: number;
  /** Whether committed blocks are never reorganised: a block then needs no confirmation (docs/adr/0170). Source: hyperevm § 1. */
  readonly isFinalOnceCommitted: boolean;
  /** Largest allowed difference of block times from a machine's clock, ms. Validators' clocks agree within seconds. */
  readonly clockBoundMs: number;
  /** The network's HyperCore: its name in signed actions, and HYPE's name there. Source: hyperevm § 1.1. */
  readonly hyperCore: { readonly chain: 'Mainnet' | 'Testnet'; readonly hypeToken: string };
  /** The network's public RPC, and its limit for each IP address. Source: hyperevm § 1. */
  readonly publicRpc?: { readonly host: string; readonly requestsPerMinute: number };
}

/** Settings that all networks share. */
const COMMON = {
  // The same address on every chain that has it (keyless deployment).
  multicall3: '0xcA11bde05977b3631167028862bE2a173976CA11',
  blockTimeMs: 1000,
  isFinalOnceCommitted: true,
  clockBoundMs: 60_000,
} as const;

/** Tests let the local chain's time run ahead of the machine's. */
const LOCAL_CLOCK_BOUND_MS = 48 * 3_600_000;

/** HyperCore of the testnet and of the local chain. */
const HYPER_CORE_TESTNET = { chain: 'Testnet', hypeToken: 'HYPE:0x7317beb7cceed72ef0b346074cc8e7ab' } as const;

/** HyperEVM mainnet, testnet, and the local chain of the tests. Source: hyperevm § 1. */
export const NETWORKS: readonly Network[] = [
  {
    ...COMMON,
    chainId: 999,
    name: 'HyperEVM',
    explorerUrl: 'https://hyperevmscan.io',
    wrappedNative: '0x5555555555555555555555555555555555555555',
    hyperCore: { chain: 'Mainnet', hypeToken: 'HYPE:0x0d01dc56dcaaca66ad901c959b4011ec' },
    publicRpc: { host: 'rpc.hyperliquid.xyz', requestsPerMinute: 100 },
  },
  {
    ...COMMON,
    chainId: 998,
    name: 'HyperEVM Testnet',
    explorerUrl: 'https://testnet.purrsec.com',
    hyperCore: HYPER_CORE_TESTNET,
    publicRpc: { host: 'rpc.hyperliquid-testnet.xyz', requestsPerMinute: 100 },
  },
  {
    ...COMMON,
    chainId: 31337,
    name: 'Local',
    clockBoundMs: LOCAL_CLOCK_BOUND_MS,
    explorerUrl: '',
    hyperCore: HYPER_CORE_TESTNET,
  },
];

/** The network of a chain id. @throws UnknownNetworkError */
export function networkOf(chainId: number): Network {
  const network = NETWORKS.find((candidate) => candidate.chainId === chainId);
  if (!network) {
    throw new UnknownNetworkError(
      chainId,
      NETWORKS.map((candidate) => candidate.chainId),
    );
  }
  return network;
}

/** The network in viem's form. */
export function viemChain(network: Network): Chain {
  return defineChain({
    id: network.chainId,
    name: network.name,
    nativeCurrency: { name: 'HYPE', symbol: 'HYPE', decimals: 18 },
    rpcUrls: { default: { http: [] } },
    blockTime: network.blockTimeMs,
    contracts: { multicall3: { address: network.multicall3 } },
    ...(network.explorerUrl && { blockExplorers: { default: { name: 'Explorer', url: network.explorerUrl } } }),
  });
}
