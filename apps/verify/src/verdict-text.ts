import type { SignedReceipt, Verdict } from '@maker/receipt';

/** What was found, for the terminal of a payer. */
export function verdictText({ broken, proven, unknown }: Verdict, receipt?: SignedReceipt): string {
  const lines = receipt ? [`Receipt of ${receipt.jobId}, ${receipt.state}, chain ${receipt.chainId}`, ''] : [];
  lines.push(...proven.map((sentence) => `✓ ${sentence}`));
  if (broken) return [...lines, `✗ ${broken.problem}`, '', 'NOT SO: do not rely on this receipt.', ''].join('\n');
  if (unknown.length > 0)
    lines.push('', 'Not to be known from the chain:', ...unknown.map((sentence) => `? ${sentence}`));
  return [...lines, '', 'All of this receipt that the chain can tell is so.', ''].join('\n');
}
