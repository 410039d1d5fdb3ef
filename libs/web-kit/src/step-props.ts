import type { ApiClient } from './api/api-client.ts';
import type { PageConfiguration } from './configuration/page-configuration.ts';
import type { OpenJob, ValidatedToken } from './wizard/open-job.ts';

/**
 * Props that the shell passes to every step. A step renders one `h1` (its title), to which the shell moves the focus, and its
 * own Back button. A link to `/terms` is a plain `<a href="/terms">`: the shell navigates there without a reload.
 */
export interface StepProps {
  readonly api: ApiClient;
  readonly configuration: PageConfiguration;
  /** Goes one step back. */
  readonly onBack: () => void;
}

/** Props of the remote `token`, exposed as `./step`. */
export interface TokenStepProps extends StepProps {
  /** Called one second after a successful validation with sufficient liquidity. */
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
  /** Called with the private code that the payer entered. */
  readonly onCode: (privateCode: string) => void;
  /** Goes to the landing, for a job that the service does not know. */
  readonly onHome: () => void;
  /** Goes to the token step, with the token and the choices of this job. */
  readonly onAgain: () => void;
}

/** Props of the remote `terms`, exposed as `./page`. */
export interface TermsPageProps {
  /** Goes to the previous history entry. */
  readonly onBack: () => void;
  /** Goes to '/'. */
  readonly onHome: () => void;
}

/** Props of each remote's component. */
export interface RemoteProps {
  readonly token: TokenStepProps;
  readonly amount: AmountStepProps;
  readonly payment: PaymentStepProps;
  readonly terms: TermsPageProps;
}
