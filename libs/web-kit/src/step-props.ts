import type { ApiClient } from './api/api-client.ts';
import type { PageConfiguration } from './configuration/page-configuration.ts';
import type { OpenJob, ValidatedToken } from './wizard/open-job.ts';

/**
 * What the shell hands to every step. A step renders one `h1` (its title), to which the shell moves the focus, and its own
 * Back button. A link to `/terms` is a plain `<a href="/terms">`: the shell turns it into a navigation without reload.
 */
export interface StepProps {
  readonly api: ApiClient;
  readonly configuration: PageConfiguration;
  /** One step earlier. */
  readonly onBack: () => void;
}

/** Props of the remote `token`, exposed as `./step`. */
export interface TokenStepProps extends StepProps {
  /** To be called one second after a validation that succeeded with sufficient liquidity. */
  readonly onValidated: (token: ValidatedToken) => void;
}

/** Props of the remote `amount`, exposed as `./step`. */
export interface AmountStepProps extends StepProps {
  readonly token: ValidatedToken;
  readonly onJobCreated: (job: OpenJob) => void;
}

/** Props of the remote `payment`, exposed as `./step`. */
export interface PaymentStepProps extends StepProps {
  readonly job: OpenJob;
  /** To the landing, where the service does not know the job. */
  readonly onHome: () => void;
}

/** Props of the remote `terms`, exposed as `./page`. */
export interface TermsPageProps {
  /** To the previous history entry. */
  readonly onBack: () => void;
  /** To '/'. */
  readonly onHome: () => void;
}

/** Props of each remote's component. */
export interface RemoteProps {
  readonly token: TokenStepProps;
  readonly amount: AmountStepProps;
  readonly payment: PaymentStepProps;
  readonly terms: TermsPageProps;
}
