import { shortenAddress } from '@maker/rules';
import { ExternalLink } from '@maker/ui';

interface ExplorerLinkProps {
  /** Without a trailing slash; empty where the network has no explorer: the text stands alone then. */
  readonly explorerUrl: string;
}

/** A transaction, shortened, linked to the explorer. */
export function TransactionLink({ explorerUrl, hash }: ExplorerLinkProps & { readonly hash: string }) {
  const text = (
    <span className="code" translate="no">
      {shortenAddress(hash)}
    </span>
  );
  if (explorerUrl === '') return text;
  return <ExternalLink href={`${explorerUrl}/tx/${hash}`}>{text}</ExternalLink>;
}

/** 'View on the explorer' for an address; nothing where there is no explorer. */
export function WalletLink({ explorerUrl, address }: ExplorerLinkProps & { readonly address: string }) {
  if (explorerUrl === '') return null;
  return <ExternalLink href={`${explorerUrl}/address/${address}`}>View it on the explorer</ExternalLink>;
}
