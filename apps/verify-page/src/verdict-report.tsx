import { type CheckedFile, quoted, verdictSummary } from '@maker/receipt';
import { Notice, Surface } from '@maker/ui';
import * as styles from './verdict-report.module.css';

/** Shows a verdict: the broken rule, or the proven, asserted and unknown points. */
export function VerdictReport({ verdict, receipt }: CheckedFile) {
  const { broken, cautions, service, proven, asserted, unknown } = verdict;
  const [summary, caution] = verdictSummary(verdict);
  return (
    <div className={styles.verdict}>
      {cautions.length > 0 && <Notice tone="yellow">{cautions.join(' ')}</Notice>}
      <Notice tone={broken ? 'red' : 'green'}>
        {broken ? `Not confirmed: ${broken.problem} Do not rely on this receipt.` : summary}
      </Notice>
      {caution && <Notice tone="yellow">{caution}</Notice>}
      {receipt && (
        <p className={styles.receipt}>
          <span className="code">{quoted(receipt.jobId)}</span>, {receipt.state}, chain {receipt.chainId}
        </p>
      )}
      {service !== '' && <p className={styles.receipt}>{service}</p>}
      <Sentences title="Proven by the Chain" sentences={proven} />
      <Sentences title="Said by the Service, Not Proven" sentences={asserted} isUnproven />
      <Sentences title="Not Known" sentences={unknown} isUnproven />
    </div>
  );
}

interface SentencesProps {
  readonly title: string;
  readonly sentences: readonly string[];
  readonly isUnproven?: boolean;
}

function Sentences({ title, sentences, isUnproven = false }: SentencesProps) {
  if (sentences.length === 0) return null;
  return (
    <Surface title={title}>
      <ul className={isUnproven ? `${styles.list} ${styles.unknown}` : styles.list}>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Surface>
  );
}
