const WINDOW_MS = 60_000;

/** Counts the requests of each address in the last minute. Source: hyperevm § 1 (100 a minute for an IP address). */
export class RequestWindow {
  private readonly made = new Map<string, number[]>();

  /**
   * Whether an address may send this many more requests now; counts them if so.
   * @param limit requests a minute; 0 disables the limit
   */
  take(address: string, requests: number, limit: number, nowMs: number): boolean {
    if (limit === 0) return true;
    const recent = (this.made.get(address) ?? []).filter((at) => at > nowMs - WINDOW_MS);
    const allowed = recent.length + requests <= limit;
    if (allowed) recent.push(...Array<number>(requests).fill(nowMs));
    this.made.set(address, recent);
    return allowed;
  }
}
