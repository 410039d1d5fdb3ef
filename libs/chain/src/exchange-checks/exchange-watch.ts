import type { ChainClient } from '../client.ts';
import { NoExchangeLeftError, WrongExchangeError } from '../errors.ts';
import type { Exchange, VerifiedExchange } from '../shapes/shapes.ts';
import { type ExchangeVerdict, isVerified, verifyAgain, verifyExchanges } from './verify-exchanges.ts';

/** Callbacks about the exchanges of the registry. */
export interface ExchangeObserver {
  /**
   * Called for every exchange at the first check, and for each that changes later.
   * @param problem the difference of an exchange that was set aside; undefined for one in use
   */
  readonly onExchange?: (exchangeId: string, problem: WrongExchangeError | undefined) => void;
}

/**
 * Keeps the exchanges that match the registry. It sets aside each that differs, and checks it again every time: the endpoint may be
 * wrong, or the fault may be repaired. Source: design § 7.
 */
export class ExchangeWatch {
  private readonly client: ChainClient;
  private readonly registry: readonly Exchange[];
  private readonly observer: ExchangeObserver;
  /** In the registry's order, after the first check. */
  private states = new Map<string, ExchangeVerdict>();

  constructor(client: ChainClient, registry: readonly Exchange[], observer: ExchangeObserver = {}) {
    this.client = client;
    this.registry = registry;
    this.observer = observer;
  }

  /** The exchanges that match the registry. */
  get inUse(): readonly VerifiedExchange[] {
    return [...this.states.values()].filter(isVerified);
  }

  /**
   * Makes the first check.
   * @throws NoExchangeLeftError with each exchange's difference, when none matches @throws ChainUnavailableError
   */
  async start(): Promise<readonly VerifiedExchange[]> {
    const exchanges = await this.check();
    if (exchanges.length > 0) return exchanges;
    throw new NoExchangeLeftError([...this.states.values()].filter((state) => state instanceof WrongExchangeError));
  }

  /**
   * Checks all exchanges: one request for all in use, two for all that are set aside.
   * @returns the exchanges in use now, possibly none @throws ChainUnavailableError, with nothing changed
   */
  async check(): Promise<readonly VerifiedExchange[]> {
    const { inUse } = this;
    const again = inUse.length > 0 ? await verifyAgain(this.client, inUse) : [];
    const others = this.registry.filter((exchange) => !inUse.some(({ id }) => id === exchange.id));
    const first = others.length > 0 ? await verifyExchanges(this.client, others) : [];
    const verdicts = [...again, ...first];
    const asked = [...inUse, ...others].map(({ id }) => id);
    const states = new Map<string, ExchangeVerdict>();
    for (const { id } of this.registry) {
      const verdict = verdicts[asked.indexOf(id)];
      if (verdict) states.set(id, verdict);
    }
    const before = this.states;
    this.states = states;
    for (const [id, state] of states) this.report(id, before.get(id), state);
    return this.inUse;
  }

  private report(id: string, before: ExchangeVerdict | undefined, now: ExchangeVerdict): void {
    const problem = now instanceof WrongExchangeError ? now : undefined;
    const problemBefore = before instanceof WrongExchangeError ? before : undefined;
    if (before === undefined || problem?.message !== problemBefore?.message) this.observer.onExchange?.(id, problem);
  }
}
