import type { Hash } from 'viem';
import { type Endpoint, monotonicMs } from './endpoint.ts';
import { commonHeight, type EndpointFact, judgeEndpoints } from './judge-endpoints.ts';
import type { SeenHeads } from './seen-heads.ts';

/** Longest wait of a check for its turn within a limit, ms: callers' requests are more urgent. */
const MOST_WAIT_MS = 2000;

/** Shortest time between two rounds, ms, where an endpoint that was down is due for a probe. */
const LEAST_PAUSE_MS = 1000;

/** Dependencies and settings of {@link EndpointChecks}. */
export interface EndpointChecksOptions {
  readonly endpoints: readonly Endpoint[];
  readonly seen: SeenHeads;
  readonly blockTimeMs: number;
  /** Time between two rounds, ms. */
  readonly intervalMs: number;
}

type Head = EndpointFact['head'];

/**
 * Compares the endpoints with each other: two requests to each endpoint a round. Requests start the rounds, so a process
 * without requests checks nothing. A lone endpoint takes part in no round: only its chain id is verified.
 */
export class EndpointChecks {
  private readonly options: EndpointChecksOptions;
  private nextAtMs = Number.NEGATIVE_INFINITY;
  private lastAtMs = Number.NEGATIVE_INFINITY;
  private first: Promise<void> | undefined;
  private running: Promise<void> | undefined;

  constructor(options: EndpointChecksOptions) {
    this.options = options;
  }

  /** Starts a round if one is due. Waits for the first round; later ones run beside the requests. */
  async beforeRequest(): Promise<void> {
    const { endpoints } = this.options;
    if (endpoints.length < 2) return;
    const nowMs = monotonicMs();
    const due = nowMs >= this.nextAtMs || endpoints.some((endpoint) => endpoint.isDueForProbe);
    if (due && !this.running && nowMs - this.lastAtMs >= LEAST_PAUSE_MS) this.begin();
    this.first ??= this.running;
    await this.first;
  }

  private begin(): void {
    this.lastAtMs = monotonicMs();
    this.nextAtMs = this.lastAtMs + this.options.intervalMs;
    this.running = this.round().finally(() => {
      this.running = undefined;
    });
  }

  private async round(): Promise<void> {
    const { endpoints, seen, blockTimeMs } = this.options;
    const heads = new Map<Endpoint, Head>();
    const asked = endpoints.filter((endpoint) => endpoint.mayBeChecked);
    await Promise.all(
      asked.map(async (endpoint) => {
        const head = await readHead(endpoint);
        if (head) heads.set(endpoint, head);
      }),
    );
    const answered = asked.filter((endpoint) => heads.has(endpoint));
    const height = commonHeight([...heads.values()].map(({ number }) => number));
    const facts = await Promise.all(
      answered.map(async (endpoint): Promise<EndpointFact> => {
        const head = heads.get(endpoint) as Head;
        const hashable = height !== undefined && head.number >= height;
        const commonHash = hashable ? await readHash(endpoint, height) : undefined;
        return { head, commonHash, wasForked: endpoint.refusal === 'forked' };
      }),
    );
    const verdicts = judgeEndpoints(facts, { nowMs: Date.now(), blockTimeMs, bestKnown: seen.best });
    for (const [index, endpoint] of answered.entries()) {
      endpoint.refusal = verdicts[index];
      endpoint.judged = true;
      endpoint.report();
    }
  }
}

async function readHead(endpoint: Endpoint): Promise<Head | undefined> {
  const block = await readBlock(endpoint, 'latest');
  return block && { number: Number(block.number), timestampMs: Number(block.timestamp) * 1000 };
}

/** Reads the hash of an endpoint's block at a height. @returns undefined where it has none, or does not answer */
async function readHash(endpoint: Endpoint, height: number): Promise<Hash | undefined> {
  return (await readBlock(endpoint, `0x${height.toString(16)}`))?.hash;
}

/** The fields that checks read of a block's wire form without transactions. */
interface WireHeader {
  readonly number: string;
  readonly hash: Hash;
  readonly timestamp: string;
}

/** @returns undefined where there is no answer: the endpoint counts the failure, and it is no vote here */
async function readBlock(endpoint: Endpoint, block: string): Promise<WireHeader | undefined> {
  try {
    const call = { method: 'eth_getBlockByNumber', params: [block, false] } as const;
    return ((await endpoint.send(call, 'read', MOST_WAIT_MS)) as WireHeader | null) ?? undefined;
  } catch {
    return undefined;
  }
}
