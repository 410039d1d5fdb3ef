import { AddressField, Alert, Button, LiveRegion, StepFrame } from '@maker/ui';
import { keepDraft, readDraft, type TokenStepProps, type ValidatedToken, validateToken } from '@maker/web-kit';
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react';
import * as styles from './step.module.css';
import { ValidatedPanel } from './validated-panel.tsx';
import { type ValidationOutcome, validateTypedToken } from './validation-outcome.ts';

/** How long the success is shown before the next step, ms. Source: specification § 9. */
const AUTO_ADVANCE_MS = 1000;

const CHECKS = ['Liquidity in V2 and V3 pools.', 'A simulated buy and sale.', 'Fees of the token itself.'];

type Progress = { readonly kind: 'idle' } | { readonly kind: 'validating' } | ValidationOutcome;

/** The wizard's second step: the token. */
export default function TokenStep({ api, onValidated, onBack }: TokenStepProps) {
  const [address, setAddress] = useState(typedBefore);
  const [progress, setProgress] = useState<Progress>({ kind: 'idle' });
  const accepted = progress.kind === 'accepted' ? progress.token : undefined;
  useAutoAdvance(accepted, onValidated);

  const busy = progress.kind === 'validating';
  const { message: refusal, reference } = progress.kind === 'refused' ? progress : {};

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (busy || accepted || address.trim() === '') return;
    setProgress({ kind: 'validating' });
    setProgress(await validateTypedToken(address, (tokenAddress) => validateToken(api, tokenAddress)));
  };

  return (
    <StepFrame title="Enter Token Address" lead="Any token with enough liquidity against HYPE." onBack={onBack}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <AddressField
          label="Token contract address"
          readOnly={busy || accepted !== undefined}
          aria-invalid={refusal !== undefined}
          value={address}
          onChange={(typed) => {
            setAddress(typed);
            keepDraft('token', typed);
            if (refusal !== undefined) setProgress({ kind: 'idle' });
          }}
        />
        {refusal !== undefined && <Alert>{refusal}</Alert>}
        {reference !== undefined && (
          <p className={styles.reference}>
            Reference <code>{reference}</code>
          </p>
        )}
        <LiveRegion>{accepted && <ValidatedPanel token={accepted} />}</LiveRegion>
        <Button type="submit" size="large" busy={busy} disabled={address.trim() === '' || accepted !== undefined}>
          {busy ? 'VALIDATING...' : 'VALIDATE TOKEN'}
        </Button>
      </form>
      {refusal === undefined && (
        <section className={styles.checks} aria-labelledby="token-checks-title">
          <h2 id="token-checks-title">Checked before you pay</h2>
          <ul>
            {CHECKS.map((check) => (
              <li key={check}>{check}</li>
            ))}
          </ul>
        </section>
      )}
    </StepFrame>
  );
}

function typedBefore(): string {
  const typed = readDraft('token');
  return typeof typed === 'string' ? typed : '';
}

function useAutoAdvance(accepted: ValidatedToken | undefined, onValidated: (token: ValidatedToken) => void) {
  const advance = useEffectEvent(onValidated);
  useEffect(() => {
    if (!accepted) return;
    const timer = setTimeout(() => advance(accepted), AUTO_ADVANCE_MS);
    return () => clearTimeout(timer);
  }, [accepted]);
}
