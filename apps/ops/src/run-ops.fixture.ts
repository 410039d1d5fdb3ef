import { opsProgram, type Surroundings } from './program.ts';

/** What a run printed. */
export interface Run {
  readonly output: string;
  /** Lines on standard error. */
  readonly reported: readonly string[];
  readonly isFailure: boolean;
}

interface Surrounded extends Pick<Surroundings, 'environment' | 'isTerminal'> {
  readonly input: string;
}

/** Runs the program in this process. @throws the error that ends the run with a line */
export async function runOps(
  args: readonly string[],
  { environment = {}, input = '', isTerminal = false }: Partial<Surrounded> = {},
): Promise<Run> {
  let output = '';
  let isFailure = false;
  const reported: string[] = [];
  const write = async (text: string) => {
    output += text;
  };
  const report = (line: string) => reported.push(line);
  const surroundings = { environment, isTerminal, input: async () => input, write, report };
  const program = opsProgram(surroundings, () => {
    isFailure = true;
  });
  await program.parseAsync(args, { from: 'user' });
  return { output, reported, isFailure };
}
