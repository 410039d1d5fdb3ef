import type { ReactNode } from 'react';
import { Button } from '../button/button.tsx';
import { Icon } from '../icon/icon.tsx';
import { BACK } from '../icon/icon-paths.ts';

interface StepFrameProps {
  /** The step's only `h1`. It can get the focus, so that screen readers start there on a change of step. */
  readonly title: string;
  /** One sentence below the title. */
  readonly lead?: ReactNode;
  readonly onBack: () => void;
  /** `wide` for steps with two columns on a wide screen. */
  readonly width?: 'narrow' | 'wide';
  readonly children: ReactNode;
}

/** Frame of a wizard step: Back, title, content. */
export function StepFrame({ title, lead, onBack, width = 'narrow', children }: StepFrameProps) {
  return (
    <section className={`step-frame step-frame--${width}`}>
      <header className="step-frame__header">
        <Button variant="quiet" onClick={onBack}>
          <Icon path={BACK} />
          Back
        </Button>
        <h1 className="step-frame__title" tabIndex={-1}>
          {title}
        </h1>
        {lead !== undefined && <p className="step-frame__lead">{lead}</p>}
      </header>
      {children}
    </section>
  );
}
