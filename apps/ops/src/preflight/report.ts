/** `ok`: the check passes. `weak`: the product works, but not as well as it could. `fail`: the product would not work. */
export type Verdict = 'ok' | 'weak' | 'fail';

/** One check: its subject, the answer, and the consequence for the product. */
export interface Line {
  readonly verdict: Verdict;
  readonly what: string;
  readonly answer: string;
  /** Empty if the check passes. */
  readonly consequence: string;
  /** Whether the product leaves the subject out and works if another one is left. */
  readonly setsAside?: boolean;
}

export interface Section {
  readonly title: string;
  readonly lines: readonly Line[];
}

/** A line of a passed check. */
export function ok(what: string, answer: string): Line {
  return { verdict: 'ok', what, answer, consequence: '' };
}

/** A line of a weakness. */
export function weak(what: string, answer: string, consequence: string): Line {
  return { verdict: 'weak', what, answer, consequence };
}

/** A line of a failure. */
export function fail(what: string, answer: string, consequence: string): Line {
  return { verdict: 'fail', what, answer, consequence };
}

/** Whether the product would work. */
export function works(sections: readonly Section[]): boolean {
  return sections.every(({ lines }) => lines.every(({ verdict }) => verdict !== 'fail'));
}

const SHOWN: Readonly<Record<Verdict, string>> = { ok: 'ok  ', weak: 'weak', fail: 'FAIL' };

/** Formats the report: columns aligned over all sections, then a summary. */
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
