import { type MouseEvent, useEffect } from 'react';
import * as styles from './contents.module.css';
import type { TermsSection } from './section.ts';

/**
 * The list of sections. A click replaces the address instead of adding to the history, so that Back still leads to the
 * page before the terms (specification § 2).
 */
export function Contents({ sections }: { readonly sections: readonly TermsSection[] }) {
  useEffect(() => {
    if (location.hash !== '') goTo(location.hash.slice(1));
  }, []);

  const onClick = (event: MouseEvent<HTMLAnchorElement>, id: string) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    goTo(id);
    history.replaceState(history.state, '', `#${id}`);
  };

  return (
    <nav className={styles.contents} aria-labelledby="terms-contents">
      <h2 id="terms-contents">Contents</h2>
      <ol>
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a href={`#${id}`} onClick={(event) => onClick(event, id)}>
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function goTo(id: string): void {
  document.getElementById(id)?.scrollIntoView();
  document.getElementById(`${id}-title`)?.focus({ preventScroll: true });
}
