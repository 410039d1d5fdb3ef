import * as styles from './footer.module.css';
import { width } from './page-width.module.css';

/** The footer of every page. Source: specification § 2. */
export function Footer() {
  return (
    <footer className={`${width} ${styles.footer}`}>
      <p>
        By continuing, you accept our <a href="/terms">Terms of Service</a>
      </p>
    </footer>
  );
}
