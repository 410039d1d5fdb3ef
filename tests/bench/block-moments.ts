import { setTimeout as wait } from 'node:timers/promises';

/** Polling interval of the chain's height, ms: the precision of a block's moment. */
const POLL_MS = 3;

/** The number of the newest block. */
export async function heightOf(rpcUrl: string): Promise<number> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] });
  const headers = { 'content-type': 'application/json' };
  const { result } = (await (await fetch(rpcUrl, { method: 'POST', headers, body })).json()) as { result: string };
  return Number(result);
}

/** When each new block became readable, ms. */
export class BlockMoments {
  private readonly at = new Map<number, number>();
  private readonly stopping = new AbortController();

  constructor(rpcUrl: string) {
    void this.run(rpcUrl);
  }

  /** @throws Error for a block that was not observed */
  of(block: number): number {
    const moment = this.at.get(block);
    if (moment === undefined) throw new Error(`block ${block} was not observed`);
    return moment;
  }

  stop(): void {
    this.stopping.abort();
  }

  private async run(rpcUrl: string): Promise<void> {
    let last = await heightOf(rpcUrl);
    while (!this.stopping.signal.aborted) {
      const height = await heightOf(rpcUrl);
      for (; last < height; last += 1) this.at.set(last + 1, performance.now());
      await wait(POLL_MS);
    }
  }
}
