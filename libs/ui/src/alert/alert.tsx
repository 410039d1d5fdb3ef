import type { ReactNode } from 'react';
import { Icon } from '../icon/icon.tsx';

/** The red box for errors. Read out at once when it appears. */
export function Alert({ children }: { readonly children: ReactNode }) {
  return (
    <div className="notice notice--red" role="alert">
      <Icon name="warning" />
      <div>{children}</div>
    </div>
  );
}

interface NoticeProps {
  readonly tone: 'plain' | 'green' | 'yellow' | 'red';
  readonly children: ReactNode;
}

/** Something worth knowing that is no error. Not read out by itself: put it into a `LiveRegion` where it changes. */
export function Notice({ tone, children }: NoticeProps) {
  return (
    <div className={`notice notice--${tone}`}>
      {tone !== 'plain' && <Icon name={tone === 'green' ? 'check' : 'warning'} />}
      <div>{children}</div>
    </div>
  );
}
