import { Button } from '@maker/ui';
import { lazy, Suspense, useState } from 'react';
// In the step's style sheet: one for the loaded part alone would need code that loads it.
import * as styles from './stop-job.module.css';
import type { StopJobProps } from './stop-job.tsx';

// Few payers end their job.
const StopJob = lazy(() => import(/* webpackChunkName: "change-return-address" */ './stop-job.tsx'));

/** The way to stop a running job; what asks the payer and does it is loaded when they press the button. Source: design § 4. */
export function StopButton(props: Omit<StopJobProps, 'isPaid' | 'isAsked'>) {
  const [isPressed, setPressed] = useState(false);
  const button = (
    <div className={styles.stop}>
      <Button variant="quiet" busy={isPressed} onClick={() => setPressed(true)}>
        Stop this job
      </Button>
    </div>
  );
  if (!isPressed) return button;
  return (
    <Suspense fallback={button}>
      <StopJob {...props} isPaid isAsked />
    </Suspense>
  );
}
