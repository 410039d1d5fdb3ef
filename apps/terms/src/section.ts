import type { ReactNode } from 'react';

/** One numbered section of the terms. */
export interface TermsSection {
  /** Its anchor in the page. */
  readonly id: string;
  readonly title: string;
  readonly body: ReactNode;
}
