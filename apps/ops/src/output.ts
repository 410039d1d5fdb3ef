/** A part of a command's output: lines for people, and the same as a value for programs. */
export interface Printed {
  /** Without the line break at its end. */
  readonly text: string;
  readonly json: unknown;
  /** Printed byte for byte: lines are not wrapped, and no line break is added. */
  readonly isExact?: boolean;
  /** Whether the checked subject failed, so that the program ends with status 1. */
  readonly isFailure?: boolean;
}

const COLUMNS = 120;
const INDENT = '    ';

/** Formats output for a terminal: wraps long lines at spaces, with a hanging indent. */
export function inColumns(text: string): string {
  return text
    .split('\n')
    .flatMap((line) => wrapped(line))
    .join('\n');
}

function wrapped(line: string): string[] {
  if (line.length <= COLUMNS) return [line];
  const cut = line.lastIndexOf(' ', COLUMNS);
  // A word that is too long alone, such as a signature, stays whole.
  const end = line.slice(0, cut).trim() === '' ? line.indexOf(' ', COLUMNS) : cut;
  if (end < 0) return [line];
  return [line.slice(0, end).trimEnd(), ...wrapped(`${INDENT}${line.slice(end).trimStart()}`)];
}
