import type { ReactNode } from 'react';
import { Icon } from '../icon/icon.tsx';
import { CHECK, WARNING } from '../icon/icon-paths.ts';

/** The red box for errors. Screen readers announce it as soon as it appears. */
export function Alert({ children }: { readonly children: ReactNode }) {
  return (
    <div className="notice notice--red" role="alert">
      <Icon path={WARNING} />
      <div>{children}</div>
    </div>
  );
}

interface NoticeProps {
  readonly tone: 'plain' | 'green' | 'yellow' | 'red';
  /** The most important sentence of its panel. */
  readonly isLarge?: boolean;
  readonly children: ReactNode;
}

/** Information that is not an error. Screen readers do not announce it: put it into a `LiveRegion` if it changes. */
export function Notice({ tone, isLarge = false, children }: NoticeProps) {
  return (
    <div className={`notice notice--${tone}${isLarge ? ' notice--large' : ''}`}>
      {tone !== 'plain' && <Icon path={tone === 'green' ? CHECK : WARNING} />}
      <div>{children}</div>
    </div>
  );
}
