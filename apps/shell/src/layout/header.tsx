import { BrandMark, ExternalLink } from '@maker/ui';
import type { PageConfiguration } from '@maker/web-kit';
import * as styles from './header.module.css';
import { linkName } from './link-name.ts';
import { width } from './page-width.module.css';

interface HeaderProps {
  readonly appName: string;
  /** Absent until it is loaded; until then there are no links. */
  readonly configuration: PageConfiguration | undefined;
  /** The logo returns to the landing. Source: specification § 2. */
  readonly onHome: () => void;
}

/** The logo, and the links to the social page and the messaging channel. */
export function Header({ appName, configuration, onHome }: HeaderProps) {
  const { socialUrl = '', messagingUrl = '' } = configuration ?? {};
  const links = [socialUrl, messagingUrl].filter((url) => url !== '');
  return (
    <header className={`${width} ${styles.header}`}>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <button className={styles.logo} type="button" onClick={onHome}>
        <BrandMark />
        <span className={styles.name}>{appName}</span>
      </button>
      <nav className={styles.links} aria-label="Community">
        {links.map((url) => (
          <ExternalLink key={url} href={url}>
            {linkName(url)}
          </ExternalLink>
        ))}
      </nav>
    </header>
  );
}
