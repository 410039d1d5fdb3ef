const NAMES: Readonly<Record<number, string>> = {
  999: 'HyperEVM',
  998: 'HyperEVM Testnet',
  31337: 'Local HyperEVM',
};

/** A network's name as wallets show it. Example: 'HyperEVM (chain 999)'. */
export function chainLabel(chainId: number): string {
  return `${NAMES[chainId] ?? 'HyperEVM'} (chain ${chainId})`;
}
