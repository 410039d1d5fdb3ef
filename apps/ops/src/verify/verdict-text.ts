import { quoted, type SignedReceipt, type Verdict, verdictSummary } from '@maker/receipt';

/** Formats a verdict for a terminal. */
export function verdictText(verdict: Verdict, receipt?: SignedReceipt): string {
  const { broken, cautions, service, proven, asserted, unknown } = verdict;
  const lines = cautions.length === 0 ? [] : [cautions.join(' ')];
  if (receipt) lines.push(`Receipt of job ${quoted(receipt.jobId)}, ${receipt.state}, chain ${receipt.chainId}`);
  if (service !== '') lines.push(service, '');
  if (proven.length > 0) lines.push('Proven by the chain:', ...marked('✓', proven));
  if (broken) lines.push(`✗ ${broken.problem}`);
  if (asserted.length > 0) lines.push('', 'Said by the service, and not proven:', ...marked('-', asserted));
  if (unknown.length > 0) lines.push('', 'Not known:', ...marked('?', unknown));
  return [...lines, '', ...verdictSummary(verdict)].join('\n');
}

function marked(mark: string, sentences: readonly string[]): string[] {
  return sentences.map((sentence) => `${mark} ${sentence}`);
}
