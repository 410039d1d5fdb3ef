import { shortenAddress } from '@maker/rules';
import { ExternalLink } from '@maker/ui';

interface ExplorerLinkProps {
  /** Without a trailing slash; empty if the network has no explorer: then only the text is shown. */
  readonly explorerUrl: string;
}

/** A transaction's shortened hash, linked to the explorer. */
export function TransactionLink({ explorerUrl, hash }: ExplorerLinkProps & { readonly hash: string }) {
  const text = (
    <span className="code" translate="no">
      {shortenAddress(hash)}
    </span>
  );
  if (explorerUrl === '') return text;
  return <ExternalLink href={`${explorerUrl}/tx/${hash}`}>{text}</ExternalLink>;
}

/** 'View on the explorer' for an address; nothing without an explorer. */
export function WalletLink({ explorerUrl, address }: ExplorerLinkProps & { readonly address: string }) {
  if (explorerUrl === '') return null;
  return <ExternalLink href={`${explorerUrl}/address/${address}`}>View it on the explorer</ExternalLink>;
}
