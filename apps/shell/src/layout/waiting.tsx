import { Spinner } from '@maker/ui';
import * as styles from './waiting.module.css';

/** Shown while a part of the site loads; appears only after a moment. */
export function Waiting() {
  return (
    <div className={styles.waiting} role="status">
      <Spinner />
      <span>Loading…</span>
    </div>
  );
}
