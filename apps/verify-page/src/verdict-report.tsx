import type { CheckedFile } from '@maker/receipt';
import { Notice, Surface } from '@maker/ui';
import * as styles from './verdict-report.module.css';

/** What was found of a receipt: the first thing that is not so, or that all of it is. */
export function VerdictReport({ verdict: { broken, proven, unknown }, receipt }: CheckedFile) {
  return (
    <div className={styles.verdict}>
      <Notice tone={broken ? 'red' : 'green'}>
        {broken
          ? `Not so: ${broken.problem} Do not rely on this receipt.`
          : 'All of this receipt that the chain can tell is so.'}
      </Notice>
      {receipt && (
        <p className={styles.receipt}>
          <span className="code">{receipt.jobId}</span>, {receipt.state}, chain {receipt.chainId}
        </p>
      )}
      {proven.length > 0 && (
        <Surface title="Proven">
          <Sentences sentences={proven} kind="proven" />
        </Surface>
      )}
      {unknown.length > 0 && (
        <Surface title="Not to be known from the chain">
          <Sentences sentences={unknown} kind="unknown" />
        </Surface>
      )}
    </div>
  );
}

function Sentences({ sentences, kind }: { readonly sentences: readonly string[]; readonly kind: string }) {
  return (
    <ul className={kind === 'unknown' ? `${styles.list} ${styles.unknown}` : styles.list}>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}
