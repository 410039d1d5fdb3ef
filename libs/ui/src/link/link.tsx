import type { ReactNode } from 'react';
import { Icon } from '../icon/icon.tsx';
import { EXTERNAL } from '../icon/icon-paths.ts';

/** Keeps the arrow on the line of the last word. */
const WORD_JOINER = '\u2060';

interface ExternalLinkProps {
  readonly href: string;
  readonly children: ReactNode;
}

/** A link to another site: opens a new tab, says so, and sends that site no referrer. */
export function ExternalLink({ href, children }: ExternalLinkProps) {
  return (
    <a className="external-link" href={href} target="_blank" rel="noopener noreferrer">
      <span>{children}</span>
      <span className="external-link__mark">
        {WORD_JOINER}
        <Icon path={EXTERNAL} />
      </span>
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}
