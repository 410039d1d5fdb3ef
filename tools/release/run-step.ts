import { runTool, type ToolOptions } from '../tool.ts';

/** Where a program of a release runs, and what its environment has beside ours. */
type StepPlace = Pick<ToolOptions, 'directory' | 'environment'>;

/** Runs a program of a release. @returns what it wrote @throws Error with what it wrote, when it fails or is stopped */
export type RunStep = (command: string, args: readonly string[], place?: StepPlace) => Promise<string>;

/** Programs that end with a signal. */
export function stepsUntil(signal: AbortSignal): RunStep {
  return async (command, args, place = {}) => {
    const { code, output } = await runTool(command, args, { signal, output: 'capture', ...place });
    if (code === 0) return output;
    throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output.trim().slice(-4000)}`);
  };
}
