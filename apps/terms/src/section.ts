import type { ReactNode } from 'react';

/** One numbered section of the terms. */
export interface TermsSection {
  /** Its anchor on the page. */
  readonly id: string;
  readonly title: string;
  readonly body: ReactNode;
}
