const KEY = 'hyperevm-maker.quiet-reload';

/**
 * Reloads the page for a new deployment, once for each. Without storage, in which that is remembered, nothing is reloaded:
 * it could go on forever.
 */
export class QuietReload {
  private reloading = false;

  /** @param storage of the tab; called on each access, because even reading `sessionStorage` may throw */
  constructor(
    private readonly storage: () => Storage,
    private readonly reload: () => void,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** @returns whether the page is being reloaded; false when it was before for this deployment */
  request(deployment: string): boolean {
    if (this.reloading) return true;
    try {
      const deployments = this.read();
      if (deployments.includes(deployment)) return false;
      this.storage().setItem(KEY, JSON.stringify({ deployments: [...deployments, deployment] }));
    } catch (error) {
      this.onFailure(error);
      return false;
    }
    this.reloading = true;
    this.reload();
    return true;
  }

  /** Deployments for which this tab has been reloaded; what an older version left is taken as far as it is understood. */
  private read(): readonly string[] {
    const { deployments } = JSON.parse(this.storage().getItem(KEY) ?? '{}') as { deployments?: unknown };
    return Array.isArray(deployments) ? deployments.filter((one) => typeof one === 'string') : [];
  }
}
