import { attempt } from '@maker/web-kit';

const KEY = 'hyperevm-maker.quiet-reload';

/**
 * Reloads the page for a new deployment, once for each. It records the reload in storage. Without storage it reloads
 * nothing, because the page could reload without end.
 */
export class QuietReload {
  private reloading = false;

  /** @param storage of the tab; called on each access, because even reading `sessionStorage` may throw */
  constructor(
    private readonly storage: () => Storage,
    private readonly reload: () => void,
  ) {}

  /** @returns whether the page reloads; false if it has reloaded for this deployment before */
  request(deployment: string): boolean {
    if (this.reloading) return true;
    const isNew = attempt(() => {
      const deployments = this.read();
      if (deployments.includes(deployment)) return false;
      this.storage().setItem(KEY, JSON.stringify({ deployments: [...deployments, deployment] }));
      return true;
    });
    if (!isNew) return false;
    this.reloading = true;
    this.reload();
    return true;
  }

  /** Deployments for which this tab has been reloaded. Ignores unknown data of an older version. */
  private read(): readonly string[] {
    const { deployments } = JSON.parse(this.storage().getItem(KEY) ?? '{}') as { deployments?: unknown };
    return Array.isArray(deployments) ? deployments.filter((one) => typeof one === 'string') : [];
  }
}
