import type { StepProps, WizardPlace } from '@maker/web-kit';
import type { ReactNode } from 'react';
import { Landing } from '../landing/landing.tsx';
import { Unavailable } from '../layout/unavailable.tsx';
import { Waiting } from '../layout/waiting.tsx';
import { loadRemote } from '../remotes/load-remote.ts';
import { RemoteView } from '../remotes/remote-view.tsx';
import type { RunningWizard } from './use-wizard.ts';
import * as styles from './wizard.module.css';

/** The API and the configuration for the steps; absent until `/config.json` is loaded. */
export type Backend = Pick<StepProps, 'api' | 'configuration'>;

/** Progress of loading the configuration. */
export interface BackendState {
  readonly backend: Backend | undefined;
  readonly failed: boolean;
  readonly retry: () => void;
}

/** The four steps, one at a time, fading out before the next. Source: specification § 2. */
export function Wizard(props: RunningWizard & BackendState) {
  const { place, next } = props.state;
  return (
    <div className={styles.step} key={place.step} data-step={place.step} data-leaving={next ? '' : undefined}>
      <Step place={place} {...props} />
    </div>
  );
}

function Step({ place, ...props }: RunningWizard & BackendState & { readonly place: WizardPlace }): ReactNode {
  const { send, backend } = props;
  const onBack = () => send({ type: 'went_back' });
  if (place.step === 'landing') {
    return (
      <Landing
        api={backend?.api}
        recentJobs={props.recentJobs}
        onStart={() => send({ type: 'started' })}
        onIntent={() => void loadRemote('token').catch(() => undefined)}
        onReopen={(job) => send({ type: 'job_reopened', job })}
      />
    );
  }
  if (!backend) {
    return props.failed ? <Unavailable onRetry={props.retry} onBack={onBack} /> : <Waiting />;
  }
  const common = { ...backend, onBack };
  switch (place.step) {
    case 'token':
      return (
        <RemoteView
          name="token"
          onBack={onBack}
          componentProps={{ ...common, onValidated: (token) => send({ type: 'token_validated', token }) }}
        />
      );
    case 'amount':
      return (
        <RemoteView
          name="amount"
          onBack={onBack}
          componentProps={{
            ...common,
            token: place.token,
            onJobCreated: (job) => send({ type: 'job_created', job }),
          }}
        />
      );
    case 'payment':
      return (
        <RemoteView
          name="payment"
          onBack={onBack}
          componentProps={{
            ...common,
            job: place.job,
            onCode: (privateCode) => send({ type: 'code_entered', privateCode }),
            onHome: () => send({ type: 'went_home' }),
            onAgain: () => send({ type: 'repeated' }),
          }}
        />
      );
  }
}
