/** `ok`: as it should be. `weak`: the product works, and something is worse than it could be. `fail`: it would not work. */
export type Verdict = 'ok' | 'weak' | 'fail';

/** One check: what was looked at, what was found, and what follows for the product. */
export interface Line {
  readonly verdict: Verdict;
  readonly what: string;
  readonly answer: string;
  /** Empty where all is well. */
  readonly consequence: string;
  /** The product itself leaves out what this is about: it works as long as something else is left. */
  readonly setsAside?: boolean;
}

export interface Section {
  readonly title: string;
  readonly lines: readonly Line[];
}

/** Nothing to say but that it is well. */
export function ok(what: string, answer: string): Line {
  return { verdict: 'ok', what, answer, consequence: '' };
}

/** The product works, and something is worse. */
export function weak(what: string, answer: string, consequence: string): Line {
  return { verdict: 'weak', what, answer, consequence };
}

/** The product would not work. */
export function fail(what: string, answer: string, consequence: string): Line {
  return { verdict: 'fail', what, answer, consequence };
}

/** Whether the product would work. */
export function works(sections: readonly Section[]): boolean {
  return sections.every(({ lines }) => lines.every(({ verdict }) => verdict !== 'fail'));
}

const SHOWN: Readonly<Record<Verdict, string>> = { ok: 'ok  ', weak: 'weak', fail: 'FAIL' };

/** The report for people: columns that are aligned over all sections, then the sum. */
export function reportText(sections: readonly Section[]): string {
  const lines = sections.flatMap((section) => section.lines);
  const width = (text: (line: Line) => string) => Math.max(0, ...lines.map((line) => text(line).length));
  const [what, answer] = [width((line) => line.what), width((line) => line.answer)];
  const lineText = (line: Line) =>
    `  ${SHOWN[line.verdict]}  ${line.what.padEnd(what)}  ${line.answer.padEnd(answer)}  ${line.consequence}`.trimEnd();
  const body = sections.flatMap((section) => [section.title, ...section.lines.map(lineText), '']);
  return [...body, sumText(sections)].join('\n');
}

function sumText(sections: readonly Section[]): string {
  const count = (wanted: Verdict) =>
    sections.reduce((sum, { lines }) => sum + lines.filter(({ verdict }) => verdict === wanted).length, 0);
  const [wrong, worse] = [count('fail'), count('weak')];
  const weaker = worse === 1 ? '1 thing is weaker than it could be' : `${worse} things are weaker than they could be`;
  const addition = (sign: string) => (worse === 0 ? '' : `${sign} ${weaker}`);
  if (wrong === 0) return `The product works with this${addition(';')}.`;
  return `The product would not work: ${wrong} ${wrong === 1 ? 'check' : 'checks'} failed${addition(',')}.`;
}
