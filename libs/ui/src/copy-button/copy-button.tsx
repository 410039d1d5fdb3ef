import { useEffect, useState } from 'react';
import { Button } from '../button/button.tsx';
import { Icon } from '../icon/icon.tsx';
import { CHECK, COPY } from '../icon/icon-paths.ts';
import { LiveRegion } from '../live-region/live-region.tsx';
import { copyText } from './copy-text.ts';

/** Duration of the confirmation, ms. */
const CONFIRMATION_MS = 2000;

interface CopyButtonProps {
  /** The text to copy. */
  readonly text: string;
  /** Label of the button, such as 'Copy address'. */
  readonly label: string;
  /** Shown and announced for two seconds after copying. */
  readonly confirmation: string;
}

/** Copies a text and confirms it for two seconds. */
export function CopyButton({ text, label, confirmation }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<{ readonly copied: boolean }>();

  useEffect(() => {
    if (!outcome) return;
    const timer = setTimeout(() => setOutcome(undefined), CONFIRMATION_MS);
    return () => clearTimeout(timer);
  }, [outcome]);

  return (
    <div className="copy-button">
      <Button variant="secondary" onClick={async () => setOutcome({ copied: await copyText(text) })}>
        <Icon path={outcome?.copied ? CHECK : COPY} />
        <span>{label}</span>
      </Button>
      <LiveRegion>
        {outcome && (
          <span className={outcome.copied ? 'copy-button__done' : 'copy-button__failed'}>
            {outcome.copied ? confirmation : 'Your browser blocks copying. Select the text instead'}
          </span>
        )}
      </LiveRegion>
    </div>
  );
}
