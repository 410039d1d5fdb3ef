import { ExternalLink, Surface } from '@maker/ui';
import * as styles from './important-notes.module.css';

const MS_PER_MINUTE = 60_000;
const TITLE = 'Important Notes';

interface ImportantNotesProps {
  /** ms */
  readonly paymentTimeoutMs: number;
  /** Link to support; empty if there is none. */
  readonly supportUrl: string;
  /** Folded when the page shows more urgent text. */
  readonly isFolded: boolean;
}

/** The four facts that a payer must know. Source: specification § 2 'Payment'. */
export function ImportantNotes({ paymentTimeoutMs, supportUrl, isFolded }: ImportantNotesProps) {
  const notes = (
    <ul className={styles.notes}>
      <li>The transfer is auto-detected once confirmed on-chain.</li>
      <li>Manual transfer only: there are no QR codes and no wallet integration.</li>
      <li>The bot starts on detection, usually within 10 minutes.</li>
      <li>
        <span>{`If the transfer is not detected within ${paymentTimeoutMs / MS_PER_MINUTE} minutes, `}</span>
        {supportUrl === '' ? (
          <span>contact support</span>
        ) : (
          <ExternalLink href={supportUrl}>contact support</ExternalLink>
        )}
        <span>.</span>
      </li>
    </ul>
  );
  if (!isFolded) return <Surface title={TITLE}>{notes}</Surface>;
  return (
    <Surface>
      <details className={styles.folded}>
        <summary>{TITLE}</summary>
        {notes}
      </details>
    </Surface>
  );
}
