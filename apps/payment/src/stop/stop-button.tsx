import { Button } from '@maker/ui';
import { lazy, Suspense, useState } from 'react';
// In the step's style sheet: a separate one for the lazy part would need code that loads it.
import * as styles from './stop-job.module.css';
import type { StopJobProps } from './stop-job.tsx';

// Loaded on demand: few payers end their job.
const StopJob = lazy(() => import(/* webpackChunkName: "change-return-address" */ './stop-job.tsx'));

/** The button that stops a running job; the confirmation and the call are loaded when the payer presses it. Source: design § 4. */
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
