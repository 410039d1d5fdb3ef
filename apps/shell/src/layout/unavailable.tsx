import { Button, StepFrame } from '@maker/ui';
import { Arrival } from './arrival.tsx';

/** Replaces a part of the site that could not be loaded. */
export function Unavailable({ onRetry, onBack }: { readonly onRetry: () => void; readonly onBack: () => void }) {
  return (
    <Arrival>
      <StepFrame
        title="This part could not be loaded"
        lead="Your input is kept. Check your connection and try again. The rest of the site still works."
        onBack={onBack}
      >
        <div>
          <Button size="large" onClick={onRetry}>
            Retry
          </Button>
        </div>
      </StepFrame>
    </Arrival>
  );
}
