import type { ExplainedSurvivor } from './survivors.ts';

/** A fault that Stryker put into a file, as its JSON report tells of it. Lines and columns count from 1. */
export interface Mutant {
  readonly status: string;
  readonly replacement?: string;
  readonly location: { readonly start: Position; readonly end: Position };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** Stryker's JSON report, by the paths of files. */
export interface MutationReport {
  readonly files: Readonly<Record<string, { readonly source: string; readonly mutants: readonly Mutant[] }>>;
}

/** What came of the faults of one file. */
export interface FileVerdict {
  readonly file: string;
  readonly mutants: number;
  readonly killed: number;
  /** Ended by the limit of time: most are loops without end. */
  readonly timedOut: number;
  readonly explained: number;
  /** Faults that no test noticed and that no reason is written for. */
  readonly unexplained: readonly Omit<ExplainedSurvivor, 'why'>[];
  /** Entries whose fault is noticed now, or is not there any more. */
  readonly stale: readonly ExplainedSurvivor[];
}

const KILLED = ['Killed', 'RuntimeError', 'CompileError'];
const UNNOTICED = ['Survived', 'NoCoverage'];

/** Compares what survived with what is known to. @param explained by the paths of files */
export function judgeReport(
  { files }: MutationReport,
  explained: Readonly<Record<string, readonly ExplainedSurvivor[]>>,
): readonly FileVerdict[] {
  return Object.entries(files).map(([file, { source, mutants }]) => {
    const survivors = mutants.filter(({ status }) => UNNOTICED.includes(status)).map((one) => survivorOf(source, one));
    const known = explained[file] ?? [];
    const unexplained = survivors.filter((survivor) => !known.some((entry) => isSame(entry, survivor)));
    return {
      file,
      mutants: mutants.filter(({ status }) => status !== 'Ignored').length,
      killed: mutants.filter(({ status }) => KILLED.includes(status)).length,
      timedOut: mutants.filter(({ status }) => status === 'Timeout').length,
      explained: survivors.length - unexplained.length,
      unexplained,
      stale: known.filter((entry) => !survivors.some((survivor) => isSame(entry, survivor))),
    };
  });
}

function survivorOf(source: string, { location: { start, end }, replacement = '' }: Mutant) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const line = lines[0] ?? '';
  const last = (lines.pop() ?? '').slice(0, end.column - 1);
  const original = [...lines, last].join('\n').slice(start.column - 1);
  return { line: line.trim(), fault: `${onOneLine(original)} → ${onOneLine(replacement)}` };
}

function isSame(one: Omit<ExplainedSurvivor, 'why'>, other: Omit<ExplainedSurvivor, 'why'>): boolean {
  return one.line === other.line && one.fault === other.fault;
}

function onOneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
