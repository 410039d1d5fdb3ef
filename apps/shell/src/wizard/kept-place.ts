import { attempt, isWizardPlace, type WizardPlace } from '@maker/web-kit';

const KEY = 'hyperevm-maker.place';

/**
 * The wizard's place in this tab, so that a reload, by the visitor or for a new deployment, returns to it. Every other
 * visit begins at the landing or at the open job.
 */
export class KeptPlace {
  /**
   * @param storage of the tab; called on each access, because even reading `sessionStorage` may throw
   * @param isReload whether this page load is a reload
   */
  constructor(
    private readonly storage: () => Storage,
    private readonly isReload: () => boolean,
  ) {}

  /** Stores the step that the visitor is on or goes to. */
  keep(place: WizardPlace): void {
    attempt(() =>
      place.step === 'landing' ? this.storage().removeItem(KEY) : this.storage().setItem(KEY, JSON.stringify(place)),
    );
  }

  /** The step before the reload; undefined without a reload, or for unknown data of another version. */
  restore(): WizardPlace | undefined {
    if (!this.isReload()) return undefined;
    const place: unknown = attempt(() => JSON.parse(this.storage().getItem(KEY) ?? 'null'));
    return isWizardPlace(place) ? place : undefined;
  }
}
