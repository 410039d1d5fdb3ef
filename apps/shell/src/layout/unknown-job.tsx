import { Button, StepFrame } from '@maker/ui';
import { Arrival } from './arrival.tsx';

/** Stands where a link names a job that there is not. */
export function UnknownJob({ onHome }: { readonly onHome: () => void }) {
  return (
    <Arrival>
      <StepFrame
        title="There is no such job"
        lead="The link is wrong or incomplete. Ask for it again, or begin at the start."
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
