import { runTool, type ToolOptions } from '../tool.ts';

/** Working directory and additional environment of a program. */
type StepPlace = Pick<ToolOptions, 'directory' | 'environment'>;

/** Runs a program of a release. @returns its output @throws Error with its output if it fails or is stopped */
export type RunStep = (command: string, args: readonly string[], place?: StepPlace) => Promise<string>;

/** Makes a {@link RunStep} whose programs stop with a signal. */
export function stepsUntil(signal: AbortSignal): RunStep {
  return async (command, args, place = {}) => {
    const { code, output } = await runTool(command, args, { signal, output: 'capture', ...place });
    if (code === 0) return output;
    throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${output.trim().slice(-4000)}`);
  };
}
