import { isWizardPlace, type WizardPlace } from '@maker/web-kit';

const KEY = 'hyperevm-maker.quiet-reload';

interface Kept {
  /** Deployments for which this tab has been reloaded. */
  readonly deployments: readonly string[];
  /** Where the wizard stood when it last was. */
  readonly place?: WizardPlace;
}

/**
 * Reloads the page for a new deployment, once for each, and brings the wizard back to where it was. Without storage, in which
 * that is remembered, nothing is reloaded: it could go on forever.
 */
export class QuietReload {
  private readonly storage: () => Storage;
  private readonly reload: () => void;
  private readonly onFailure: (error: unknown) => void;
  private reloading = false;

  /** @param storage of the tab; called on each access, because even reading `sessionStorage` may throw */
  constructor(storage: () => Storage, reload: () => void, onFailure: (error: unknown) => void) {
    this.storage = storage;
    this.reload = reload;
    this.onFailure = onFailure;
  }

  /** @returns whether the page is being reloaded; false when it was before for this deployment */
  request(deployment: string, place: WizardPlace): boolean {
    if (this.reloading) return true;
    try {
      const { deployments } = this.read();
      if (deployments.includes(deployment)) return false;
      this.write({ deployments: [...deployments, deployment], place });
    } catch (error) {
      this.onFailure(error);
      return false;
    }
    this.reloading = true;
    this.reload();
    return true;
  }

  /** Where the wizard stood before the reload that led to this page load; only the first call gets it. */
  takePlace(): WizardPlace | undefined {
    try {
      const { deployments, place } = this.read();
      if (!place) return undefined;
      this.write({ deployments });
      return place;
    } catch (error) {
      this.onFailure(error);
      return undefined;
    }
  }

  /** What an older version of the page left is taken as far as it is understood. */
  private read(): Kept {
    const { deployments, place } = JSON.parse(this.storage().getItem(KEY) ?? '{}') as Partial<Kept>;
    return {
      deployments: Array.isArray(deployments) ? deployments.filter((one) => typeof one === 'string') : [],
      ...(isWizardPlace(place) ? { place } : {}),
    };
  }

  private write(kept: Kept): void {
    this.storage().setItem(KEY, JSON.stringify(kept));
  }
}
