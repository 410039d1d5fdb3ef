/** One small change of a source that breaks a sentence of the specification, and the test that must fail then. */
export interface Break {
  /** Source that is changed, from the repository's root. */
  readonly file: string;
  /** Stands once in the source. */
  readonly from: string;
  /** Takes its place. */
  readonly to: string;
  /** File of the test, from the repository's root. */
  readonly spec: string;
  /** Title of the test, or the beginning of it. */
  readonly test: string;
}

/** Where a break is to be seen. */
type Seen = readonly [spec: string, test: string];

/** Writes a row of a table of breaks. */
export function broken(file: string, from: string, to: string, [spec, test]: Seen): Break {
  return { file, from, to, spec, test };
}
