import { Spinner } from '@maker/ui';
import * as styles from './waiting.module.css';

/** Stands where a part of the site is being loaded; appears only when that takes a moment. */
export function Waiting() {
  return (
    <div className={styles.waiting} role="status">
      <Spinner />
      <span>Loading…</span>
    </div>
  );
}
