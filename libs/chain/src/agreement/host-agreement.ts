import { createPublicClient, custom } from 'viem';
import { type ChainClient, hostCountOf, witnessesOf } from '../client.ts';

/** Hosts do not tell alike what would count against a job, or fewer than two answer: nothing is decided by it. */
export class UnconfirmedError extends Error {
  readonly code = 'UNCONFIRMED';

  /** @param answers of hosts */
  constructor(answers: number) {
    super(answers < 2 ? `${answers} hosts answered, two are needed` : `${answers} hosts answer differently`);
    this.name = 'UnconfirmedError';
  }
}

/**
 * Asks several hosts the same, so that none of them decides alone. With one configured host that is trusted, its word counts.
 * Source: docs/adr/0116.
 */
export class HostAgreement {
  /** Whether there is one host alone, which is believed. */
  readonly isAlone: boolean;
  readonly trustsSingle: boolean;
  private readonly client: ChainClient;
  private readonly clients = new Map<string, ChainClient>();

  /** @param trustsSingle whether the word of one host is enough where no second one answers */
  constructor(client: ChainClient, trustsSingle: boolean) {
    this.client = client;
    this.trustsSingle = trustsSingle;
    this.isAlone = trustsSingle && hostCountOf(client) < 2;
  }

  /** Whether so many of some answers decide. */
  isEnough(alike: number, answers: number): boolean {
    return (alike >= 2 || (this.trustsSingle && answers === 1)) && alike * 2 > answers;
  }

  /** What each host answers; of one that fails nothing. */
  async told<Answer>(ask: (client: ChainClient) => Promise<Answer>): Promise<readonly Answer[]> {
    if (this.isAlone) return [await ask(this.client)];
    const settled = await Promise.allSettled(this.hostClients().map(ask));
    return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  }

  /** The answers that hosts give alike, where they decide. @throws UnconfirmedError */
  async agreed<Answer>(
    ask: (client: ChainClient) => Promise<Answer>,
    areAlike: (one: Answer, other: Answer) => boolean = Object.is,
  ): Promise<readonly [Answer, ...Answer[]]> {
    return this.alike(await this.told(ask), areAlike);
  }

  /** Those of some answers that hosts give alike, where they decide. @throws UnconfirmedError */
  alike<Answer>(
    told: readonly Answer[],
    areAlike: (one: Answer, other: Answer) => boolean,
  ): readonly [Answer, ...Answer[]] {
    const group = this.deciding(told, told.length, areAlike);
    if (!group) throw new UnconfirmedError(told.length);
    return group;
  }

  /**
   * The first answer where it is as expected. Otherwise the answers against it that hosts give alike, where they decide; or the expected
   * one of another host. @throws UnconfirmedError
   */
  async unless<Answer>(
    isExpected: (answer: Answer) => boolean,
    ask: (client: ChainClient) => Promise<Answer>,
    areAlike: (one: Answer, other: Answer) => boolean = Object.is,
  ): Promise<readonly [Answer, ...Answer[]]> {
    const first = await ask(this.client);
    if (this.isAlone || isExpected(first)) return [first];
    const told = await this.told(ask);
    const against = told.filter((answer) => !isExpected(answer));
    const group = this.deciding(against, told.length, areAlike);
    if (group) return group;
    const [expected, ...more] = told.filter(isExpected);
    if (expected === undefined && !told.some(isExpected)) throw new UnconfirmedError(told.length);
    return [expected as Answer, ...more];
  }

  /**
   * A number that our books expect; or the nearest to it of those that two hosts at least tell, all more or all less.
   * @param otherwise where hosts confirm nothing @throws UnconfirmedError without that
   */
  async nearest<Answer>(
    expected: bigint,
    ask: (client: ChainClient) => Promise<Answer>,
    amountOf: (answer: NonNullable<Answer>) => bigint,
    otherwise?: Answer,
  ): Promise<Answer> {
    const off = (answer: Answer) => (answer == null ? undefined : amountOf(answer) - expected);
    const areOnOneSide = (one: Answer, other: Answer) => sideOf(off(one)) === sideOf(off(other));
    const isExpected = (answer: Answer) => off(answer) === 0n;
    const distance = (answer: Answer) => distanceOf(off(answer) ?? 0n);
    try {
      const group = await this.unless(isExpected, ask, areOnOneSide);
      return group.reduce((best, answer) => (distance(answer) < distance(best) ? answer : best));
    } catch (error) {
      if (otherwise !== undefined && error instanceof UnconfirmedError) return otherwise;
      throw error;
    }
  }

  private deciding<Answer>(
    answers: readonly Answer[],
    all: number,
    areAlike: (one: Answer, other: Answer) => boolean,
  ): readonly [Answer, ...Answer[]] | undefined {
    for (const answer of answers) {
      const group = answers.filter((other) => other === answer || areAlike(answer, other));
      if (this.isEnough(group.length, all)) return group as [Answer, ...Answer[]];
    }
    return undefined;
  }

  private hostClients(): readonly ChainClient[] {
    const { chain } = this.client;
    return witnessesOf(this.client).map(({ origin, request }) => {
      const known = this.clients.get(origin);
      if (known) return known;
      const client: ChainClient = createPublicClient({ chain, transport: custom({ request }, { retryCount: 0 }) });
      this.clients.set(origin, client);
      return client;
    });
  }
}

/** Whether an amount is too high or too low, exactly; undefined where there is none. */
function sideOf(off: bigint | undefined): 'above' | 'below' | 'at' | undefined {
  if (off === undefined) return undefined;
  if (off === 0n) return 'at';
  return off > 0n ? 'above' : 'below';
}

function distanceOf(off: bigint): bigint {
  return off < 0n ? -off : off;
}
