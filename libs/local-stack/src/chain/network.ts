import { type Chain, defineChain } from 'viem';

/** Chain id of the local chain. */
export const CHAIN_ID = 31_337;

/** The local chain as a viem chain definition. */
export function localNetwork(rpcUrl: string): Chain {
  return defineChain({
    id: CHAIN_ID,
    name: 'Local HyperEVM',
    nativeCurrency: { name: 'HYPE', symbol: 'HYPE', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
}
