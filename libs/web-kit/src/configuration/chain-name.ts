const NAMES: Readonly<Record<number, string>> = {
  999: 'HyperEVM',
  998: 'HyperEVM Testnet',
  31337: 'Local HyperEVM',
};

/** A network as a payer finds it in a wallet. Example: 'HyperEVM (chain 999)'. */
export function chainLabel(chainId: number): string {
  return `${NAMES[chainId] ?? 'HyperEVM'} (chain ${chainId})`;
}
