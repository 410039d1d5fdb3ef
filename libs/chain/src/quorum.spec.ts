import { describe, expect, it } from 'vitest';
import { nearestAmount, type Question, quorum, quorumOf, reachedByMost, UnconfirmedError, votedBy } from './quorum.ts';

type HostAnswer = number | 'down';

/** A question to hosts with these answers; it counts the hosts that it asks. */
function asking(answers: readonly HostAnswer[], { trustsSingle = false, isAlone = false } = {}) {
  const asked: number[] = [];
  const given = (index: number): number => {
    asked.push(index);
    const answer = answers[index];
    if (answer === undefined || answer === 'down') throw new Error('no answer');
    return answer;
  };
  const question: Question<number> = {
    isAlone,
    trustsSingle,
    first: async () => given(0),
    all: async () => {
      const settled = await Promise.allSettled(answers.map(async (_, index) => given(index)));
      return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    },
  };
  return { question, asked };
}

const EXPECTED = 100n;
const nearest = ({ question }: ReturnType<typeof asking>) => nearestAmount(question, EXPECTED, BigInt);

describe('an amount that our books know (docs/adr/0116)', () => {
  it('is one answer where it is as expected', async () => {
    const hosts = asking([100, 7]);
    expect(await nearest(hosts)).toBe(100);
    expect(hosts.asked).toEqual([0]);
  });

  it.each([
    ['another host gives the expected value', [7, 100], 100],
    ['two hosts give more', [103, 102], 102],
    ['two hosts give less', [7, 90], 90],
    ['two of three give less', [90, 100, 91], 91],
    ['one of three gives less', [90, 100, 100], 100],
  ] as const)('is believed where %s', async (_, answers, believed) => {
    expect(await nearest(asking(answers))).toBe(believed);
  });

  it.each([
    ['one gives more and one less', [103, 90]],
    ['the other one is down', [90, 'down']],
  ] as const)('is unknown where %s', async (_, answers) => {
    await expect(nearest(asking(answers))).rejects.toThrow(UnconfirmedError);
  });

  it('is the only answer where one host is trusted', async () => {
    expect(await nearest(asking([90, 'down'], { trustsSingle: true }))).toBe(90);
    await expect(nearest(asking([90, 103], { trustsSingle: true }))).rejects.toThrow('2 hosts answer differently');
    const alone = asking([90], { trustsSingle: true, isAlone: true });
    expect([await nearest(alone), alone.asked]).toEqual([90, [0]]);
  });

  it('is the expected value where hosts confirm nothing', async () => {
    expect(await nearestAmount(asking([90, 'down']).question, EXPECTED, BigInt, 100)).toBe(100);
    expect(await nearestAmount(asking([90, 103]).question, EXPECTED, BigInt, 100)).toBe(100);
  });
});

describe('a quorum (docs/adr/0146)', () => {
  const verdict = async (answers: readonly HostAnswer[], trustsSingle = false) =>
    (await quorum(asking(answers, { trustsSingle }).question)).kind;

  it.each([
    [[7, 7], 'agreed'],
    [[7, 8, 8], 'agreed'],
    [[8, 8, 'down'], 'agreed'],
    [[7, 8], 'split'],
    [[7, 8, 9], 'split'],
    [[7, 7, 8, 8], 'split'],
    [[7, 7, 8, 9, 10], 'split'],
    [[7, 'down'], 'unanswered'],
    [['down', 'down'], 'unanswered'],
    [[], 'unanswered'],
  ] as const)('of %j is %s', async (answers, kind) => {
    expect(await verdict(answers)).toBe(kind);
  });

  it('takes a lone answer only where one is trusted', async () => {
    expect(await verdict([7, 'down'], true)).toBe('agreed');
    expect(await verdict([7, 8], true)).toBe('split');
    expect(await verdict(['down'], true)).toBe('unanswered');
  });

  it('takes no silence for an answer', () => {
    expect(quorumOf([undefined, undefined], false)).toMatchObject({ kind: 'agreed', answers: [undefined, undefined] });
    expect(quorumOf([], true)).toEqual({ kind: 'unanswered', hosts: 0 });
  });

  it('counts answers within its tolerance as alike', () => {
    const tolerance = (one: number, other: number) => Math.abs(one - other) <= 1;
    expect(quorumOf([10, 20, 11], false, { tolerance })).toEqual({ kind: 'agreed', answers: [10, 11] });
    expect(quorumOf([10, 12], false, { tolerance }).kind).toBe('split');
  });
});

describe('a vote of hosts', () => {
  it.each([
    [[true, true], true],
    [[false, false, true], false],
    [[true, false], undefined],
    [[true], undefined],
    [[], undefined],
  ] as const)('of %j is %s', (votes, decided) => {
    expect(votedBy(votes, false)).toBe(decided);
  });
});

describe('a time that hosts agree was reached', () => {
  it.each([
    [[5], 5],
    [[9, 5], 5],
    [[9, 5, 7], 7],
    [[9, 5, 7, 6], 6],
  ] as const)('of %j is %i', (times, reached) => {
    expect(reachedByMost(times)).toBe(reached);
  });
});
