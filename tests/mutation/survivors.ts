import survivors from './survivors.json' with { type: 'json' };

/** A fault that no test notices, and why none need. */
export interface ExplainedSurvivor {
  /** The line that it begins in. */
  readonly line: string;
  /** `what stands there → what was put in its place`, on one line. */
  readonly fault: string;
  readonly why: string;
}

/** Every fault that survives, by file: `npm run test:mutation` fails for one that is not here, and for one that is here no more. */
export const SURVIVORS: Readonly<Record<string, readonly ExplainedSurvivor[]>> = survivors;
