/**
 * The one rule by which several hosts decide a fact of the chain. A host is a name or an IP address, see `hostOf`. More than half of the
 * hosts that answer must answer alike, and at least two. A host that does not answer has said nothing: it denies nothing. Explained in
 * design § 7 'Agreement of hosts'. Source: docs/adr/0146.
 */

/** The hosts' verdict. `agreed`: the equal answers that decide. `split`: two or more answered, none of their answers decides. */
export type Quorum<Answer> =
  | { readonly kind: 'agreed'; readonly answers: readonly [Answer, ...Answer[]] }
  | { readonly kind: 'split' | 'unanswered'; readonly hosts: number };

/** The rule's two settings. */
export interface QuorumRule<Answer> {
  /** Whether an answer is as our own books say. It then needs no second host; only other answers do. By default no answer is. */
  readonly expected?: (answer: Answer) => boolean;
  /** Whether two answers count as alike; by default only identical ones. */
  readonly tolerance?: (one: Answer, other: Answer) => boolean;
}

/** A question to several hosts; see `Hosts`. */
export interface Question<Answer> {
  /** Whether there is only one host, and the operator trusts it. */
  readonly isAlone: boolean;
  /** Whether the operator accepts the answer of one host where no other one answers. */
  readonly trustsSingle: boolean;
  /** Asks the first host in the operator's order. @throws its failure */
  first(): Promise<Answer>;
  /** Asks each host. A host that fails gives no answer. */
  all(): Promise<readonly Answer[]>;
}

/** Hosts do not decide: the caller must not decide either. */
export class UnconfirmedError extends Error {
  readonly code = 'UNCONFIRMED';
  /** Number of hosts that answered. */
  readonly hosts: number;

  constructor(hosts: number) {
    super(hosts < 2 ? `${hosts} hosts answered, two are needed` : `${hosts} hosts answer differently`);
    this.name = 'UnconfirmedError';
    this.hosts = hosts;
  }
}

/** Asks hosts. It asks only the first one if an answer is expected and this host gives it. @throws the failure of that first host */
export async function quorum<Answer>(
  question: Question<Answer>,
  rule: QuorumRule<Answer> = {},
): Promise<Quorum<Answer>> {
  if (rule.expected) {
    const first = await question.first();
    if (question.isAlone || rule.expected(first)) return { kind: 'agreed', answers: [first] };
  }
  return quorumOf(await question.all(), question.trustsSingle, rule);
}

/**
 * Applies the rule to answers. Unexpected answers need it. Where they do not decide, one expected answer is enough.
 * @param answers one of each host that answered @param trustsSingle whether a lone answer decides
 */
export function quorumOf<Answer>(
  answers: readonly Answer[],
  trustsSingle: boolean,
  { expected = () => false, tolerance = Object.is }: QuorumRule<Answer> = {},
): Quorum<Answer> {
  const hosts = answers.length;
  const unexpected = answers.filter((answer) => !expected(answer));
  const groups = unexpected.map((one) => unexpected.filter((other) => other === one || tolerance(one, other)));
  const deciding = groups.find(({ length }) => length * 2 > hosts && (length >= 2 || trustsSingle));
  const decided = deciding ?? answers.filter(expected);
  if (decided.length > 0) return { kind: 'agreed', answers: decided as [Answer, ...Answer[]] };
  return { kind: hosts < 2 ? 'unanswered' : 'split', hosts };
}

/** The answers that decide. @throws UnconfirmedError */
export function agreedAnswers<Answer>(verdict: Quorum<Answer>): readonly [Answer, ...Answer[]] {
  if (verdict.kind !== 'agreed') throw new UnconfirmedError(verdict.hosts);
  return verdict.answers;
}

/** What hosts say about a yes-or-no question; undefined where they do not decide. @param votes one of each host that answered */
export function votedBy(votes: readonly boolean[], trustsSingle: boolean): boolean | undefined {
  const verdict = quorumOf(votes, trustsSingle);
  return verdict.kind === 'agreed' ? verdict.answers[0] : undefined;
}

/**
 * The rule for amounts of which nodes serve only the newest: answers above the expected amount are alike, and answers below it. Returns
 * the answer nearest to it. @param otherwise returned where hosts do not decide @throws UnconfirmedError without that
 */
export async function nearestAmount<Answer>(
  question: Question<Answer>,
  expected: bigint,
  amountOf: (answer: NonNullable<Answer>) => bigint,
  otherwise?: Answer,
): Promise<Answer> {
  const off = (answer: Answer) => (answer == null ? undefined : amountOf(answer) - expected);
  const distance = (answer: Answer) => absolute(off(answer) ?? 0n);
  const verdict = await quorum(question, {
    expected: (answer) => off(answer) === 0n,
    tolerance: (one, other) => signOf(off(one)) === signOf(off(other)),
  });
  if (verdict.kind !== 'agreed' && otherwise !== undefined) return otherwise;
  return agreedAnswers(verdict).reduce((best, answer) => (distance(answer) < distance(best) ? answer : best));
}

/** The latest value that the hosts agree to have been reached: of two the lower, of three the middle one. @param values one at least */
export function reachedByMost(values: readonly number[]): number {
  const latestFirst = values.toSorted((one, other) => other - one);
  const reached = latestFirst.find((value) =>
    votedBy(
      values.map((other) => other >= value),
      true,
    ),
  );
  if (reached === undefined) throw new RangeError('no host answered');
  return reached;
}

function signOf(amount: bigint | undefined): number | undefined {
  if (amount === undefined) return undefined;
  return amount < 0n ? -1 : Number(amount > 0n);
}

function absolute(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}
