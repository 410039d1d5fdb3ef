import type { ChainClient } from '../client.ts';
import { NoExchangeLeftError, WrongExchangeError } from '../errors.ts';
import type { Exchange, VerifiedExchange } from '../exchanges/exchanges.ts';
import { verifyAgain, verifyExchange } from './verify-exchanges.ts';

/** Hears of the exchanges of the registry. */
export interface ExchangeObserver {
  /**
   * Told of every exchange at the first check, and of each that changes later.
   * @param problem what is wrong with one that was set aside; undefined for one in use
   */
  readonly onExchange?: (exchangeId: string, problem: WrongExchangeError | undefined) => void;
}

/**
 * Which exchanges of the registry are what it says. One that is not is set aside, and asked again at every check: what is wrong
 * may be the endpoint, or may be mended. Source: design § 7.
 */
export class ExchangeWatch {
  private readonly client: ChainClient;
  private readonly registry: readonly Exchange[];
  private readonly observer: ExchangeObserver;
  /** In the registry's order, once each was checked. */
  private states = new Map<string, VerifiedExchange | WrongExchangeError>();

  constructor(client: ChainClient, registry: readonly Exchange[], observer: ExchangeObserver = {}) {
    this.client = client;
    this.registry = registry;
    this.observer = observer;
  }

  /** Those that are what the registry says. */
  get inUse(): readonly VerifiedExchange[] {
    return [...this.states.values()].filter(
      (state): state is VerifiedExchange => !(state instanceof WrongExchangeError),
    );
  }

  /**
   * The first check.
   * @throws NoExchangeLeftError when every exchange is wrong, saying of each what @throws ChainUnavailableError
   */
  async start(): Promise<readonly VerifiedExchange[]> {
    const exchanges = await this.check();
    if (exchanges.length > 0) return exchanges;
    throw new NoExchangeLeftError(
      [...this.states.values()].filter((state): state is WrongExchangeError => state instanceof WrongExchangeError),
    );
  }

  /**
   * Checks all. What is in use takes one request together, what was set aside a few each.
   * @returns what is in use now, perhaps nothing @throws ChainUnavailableError: then nothing has changed
   */
  async check(): Promise<readonly VerifiedExchange[]> {
    const inUse = this.inUse;
    const again = inUse.length > 0 ? await verifyAgain(this.client, inUse) : [];
    const states = new Map<string, VerifiedExchange | WrongExchangeError>();
    for (const exchange of this.registry) {
      const index = inUse.findIndex(({ id }) => id === exchange.id);
      states.set(exchange.id, again[index] ?? (await this.verify(exchange)));
    }
    const before = this.states;
    this.states = states;
    for (const [id, state] of states) this.tell(id, before.get(id), state);
    return this.inUse;
  }

  private async verify(exchange: Exchange): Promise<VerifiedExchange | WrongExchangeError> {
    try {
      return await verifyExchange(this.client, exchange);
    } catch (error) {
      if (error instanceof WrongExchangeError) return error;
      throw error;
    }
  }

  private tell(
    id: string,
    before: VerifiedExchange | WrongExchangeError | undefined,
    now: VerifiedExchange | WrongExchangeError,
  ): void {
    const problem = now instanceof WrongExchangeError ? now : undefined;
    const problemBefore = before instanceof WrongExchangeError ? before : undefined;
    if (before === undefined || problem?.message !== problemBefore?.message) this.observer.onExchange?.(id, problem);
  }
}
