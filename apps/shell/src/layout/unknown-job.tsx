import { Button, StepFrame } from '@maker/ui';
import { Arrival } from './arrival.tsx';

/** Shown when the job of a link does not exist. */
export function UnknownJob({ onHome }: { readonly onHome: () => void }) {
  return (
    <Arrival>
      <StepFrame
        title="There is no such job"
        lead="The link is wrong or incomplete. Ask for the link again, or go to the start."
        onBack={onHome}
      >
        <div>
          <Button size="large" onClick={onHome}>
            Go to the start
          </Button>
        </div>
      </StepFrame>
    </Arrival>
  );
}
