import { createPublicClient, custom } from 'viem';
import { type ChainClient, hostCountOf, witnessesOf } from '../client.ts';

/** Hosts answer differently, or fewer than two answer: the caller must decide nothing. */
export class UnconfirmedError extends Error {
  readonly code = 'UNCONFIRMED';

  /** @param answers of hosts */
  constructor(answers: number) {
    super(answers < 2 ? `${answers} hosts answered, two are needed` : `${answers} hosts answer differently`);
    this.name = 'UnconfirmedError';
  }
}

/**
 * Asks several hosts the same question, so that none of them decides alone. If the only configured host is trusted, its answer counts.
 * Source: docs/adr/0116.
 */
export class HostAgreement {
  /** Whether there is only one host, and it is trusted. */
  readonly isAlone: boolean;
  readonly trustsSingle: boolean;
  private readonly client: ChainClient;
  private readonly clients = new Map<string, ChainClient>();

  /** @param trustsSingle whether one host's answer is enough where no second one answers */
  constructor(client: ChainClient, trustsSingle: boolean) {
    this.client = client;
    this.trustsSingle = trustsSingle;
    this.isAlone = trustsSingle && hostCountOf(client) < 2;
  }

  /** Whether a group of equal answers decides. @param alike size of the group @param answers number of all answers */
  isEnough(alike: number, answers: number): boolean {
    return (alike >= 2 || (this.trustsSingle && answers === 1)) && alike * 2 > answers;
  }

  /** The answers of all hosts; a host that fails gives none. */
  async answers<Answer>(ask: (client: ChainClient) => Promise<Answer>): Promise<readonly Answer[]> {
    if (this.isAlone) return [await ask(this.client)];
    const settled = await Promise.allSettled(this.hostClients().map(ask));
    return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  }

  /** The equal answers of hosts that decide. @throws UnconfirmedError */
  async agreed<Answer>(
    ask: (client: ChainClient) => Promise<Answer>,
    areAlike: (one: Answer, other: Answer) => boolean = Object.is,
  ): Promise<readonly [Answer, ...Answer[]]> {
    return this.alike(await this.answers(ask), areAlike);
  }

  /** The equal ones of given answers, if they decide. @throws UnconfirmedError */
  alike<Answer>(
    answers: readonly Answer[],
    areAlike: (one: Answer, other: Answer) => boolean,
  ): readonly [Answer, ...Answer[]] {
    const group = this.deciding(answers, answers.length, areAlike);
    if (!group) throw new UnconfirmedError(answers.length);
    return group;
  }

  /**
   * Returns the first answer if it is as expected. Otherwise returns the equal unexpected answers if they decide, else the expected
   * answers of other hosts. @throws UnconfirmedError
   */
  async unless<Answer>(
    isExpected: (answer: Answer) => boolean,
    ask: (client: ChainClient) => Promise<Answer>,
    areAlike: (one: Answer, other: Answer) => boolean = Object.is,
  ): Promise<readonly [Answer, ...Answer[]]> {
    const first = await ask(this.client);
    if (this.isAlone || isExpected(first)) return [first];
    const answers = await this.answers(ask);
    const against = answers.filter((answer) => !isExpected(answer));
    const group = this.deciding(against, answers.length, areAlike);
    if (group) return group;
    const [expected, ...more] = answers.filter(isExpected);
    if (expected === undefined && !answers.some(isExpected)) throw new UnconfirmedError(answers.length);
    return [expected as Answer, ...more];
  }

  /**
   * Returns the answer with the amount that our ledger expects. If hosts agree that the amount is higher, or that it is lower, returns
   * their answer nearest to it. @param otherwise returned where hosts confirm nothing @throws UnconfirmedError without that
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

/** Whether an amount is above, below or at the expected one; undefined where there is none. */
function sideOf(off: bigint | undefined): 'above' | 'below' | 'at' | undefined {
  if (off === undefined) return undefined;
  if (off === 0n) return 'at';
  return off > 0n ? 'above' : 'below';
}

function distanceOf(off: bigint): bigint {
  return off < 0n ? -off : off;
}
