import { BrandMark, ExternalLink } from '@maker/ui';
import { CONFIGURATION_DEFAULTS, type PageConfiguration } from '@maker/web-kit';
import { linkName } from './link-name.ts';

/** Props of `Header`. */
export interface HeaderProps {
  readonly appName: string;
  /** Absent until it is read; the links are the product's own until then. */
  readonly configuration: PageConfiguration | undefined;
  /** The logo returns to the landing. Source: specification § 2. */
  readonly onHome: () => void;
}

/** The logo, and the links to the social page and the messaging channel. */
export function Header({ appName, configuration, onHome }: HeaderProps) {
  const { socialUrl, messagingUrl } = configuration ?? CONFIGURATION_DEFAULTS;
  const links = [socialUrl, messagingUrl].filter((url) => url !== '');
  return (
    <header className="site-header">
      <a className="skip-link" href="#content">
        Skip to content
      </a>
      <button className="logo" type="button" onClick={onHome}>
        <BrandMark />
        <span className="logo__name">{appName}</span>
      </button>
      <nav className="site-header__links" aria-label="Community">
        {links.map((url) => (
          <ExternalLink key={url} href={url}>
            {linkName(url)}
          </ExternalLink>
        ))}
      </nav>
    </header>
  );
}
