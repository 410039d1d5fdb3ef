import { createPublicClient, custom, withTimeout } from 'viem';
import { type ChainClient, hostCountOf, hostsOf, witnessesOf } from '../client.ts';
import type { EndpointHost } from '../endpoints/endpoint-pool.ts';
import type { Question } from '../quorum.ts';

/** Which hosts to ask, and for how long. */
export interface AskOptions {
  /** Leaves out hosts that show another branch. By default they are asked: a lying host must not be able to exclude the others. */
  readonly onlyInUse?: boolean;
  /** Time after which a host counts as silent, ms; by default only its own failure does. */
  readonly withinMs?: number;
}

/** No time limit, as viem's `withTimeout` reads it. */
const FOR_EVER_MS = 0;

/** Asks each host behind a client on its own. The rule for their answers is `quorum`. */
export class Hosts {
  /** Number of configured hosts. With one, no second host can confirm its answers. */
  readonly count: number;
  readonly trustsSingle: boolean;
  /** Whether there is only one host, and it is trusted. */
  readonly isAlone: boolean;
  private readonly client: ChainClient;
  private readonly clients = new Map<string, ChainClient>();

  /** @param trustsSingle whether one host's answer is enough where no second one answers */
  constructor(client: ChainClient, trustsSingle: boolean) {
    this.client = client;
    this.count = hostCountOf(client);
    this.trustsSingle = trustsSingle;
    this.isAlone = trustsSingle && this.count < 2;
  }

  /** Number of hosts that must answer before an absence counts: one host alone may leave something out. */
  get enough(): number {
    return this.trustsSingle ? 1 : Math.min(this.count, 2);
  }

  /** The hosts in use, for searches and signatures, which one host proves alone. */
  inUse(): readonly EndpointHost[] {
    return hostsOf(this.client);
  }

  /** A question for {@link quorum}: the same request to each host. */
  question<Answer>(ask: (client: ChainClient) => Promise<Answer>, options: AskOptions = {}): Question<Answer> {
    return {
      isAlone: this.isAlone,
      trustsSingle: this.trustsSingle,
      first: () => ask(this.client),
      all: () => this.answers(ask, options),
    };
  }

  /** The answers of the hosts; a host that fails or is late gives none. @throws the failure of a host that is alone */
  async answers<Answer>(
    ask: (client: ChainClient) => Promise<Answer>,
    { onlyInUse = false, withinMs = FOR_EVER_MS }: AskOptions = {},
  ): Promise<readonly Answer[]> {
    if (this.isAlone) return [await ask(this.client)];
    const asked = this.each(onlyInUse).map((client) => withTimeout(() => ask(client), { timeout: withinMs }));
    const settled = await Promise.allSettled(asked);
    return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  }

  /** A client of each host, in the operator's order. */
  each(onlyInUse = false): readonly ChainClient[] {
    const { chain } = this.client;
    return (onlyInUse ? this.inUse() : witnessesOf(this.client)).map(({ origin, request }) => {
      const known = this.clients.get(origin);
      if (known) return known;
      const client: ChainClient = createPublicClient({ chain, transport: custom({ request }, { retryCount: 0 }) });
      this.clients.set(origin, client);
      return client;
    });
  }
}
