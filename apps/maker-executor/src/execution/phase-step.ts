import type { ExecutionContext } from './execution-context.ts';

/** What an execution does in one of its phases. */
export interface PhaseStep {
  /** Does what can be done at this block, if anything. @returns the context after it */
  advance(context: ExecutionContext): Promise<ExecutionContext>;
}
