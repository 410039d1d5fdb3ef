import { opsProgram } from '../../apps/ops/src/program.ts';

const program = opsProgram(
  { environment: {}, isTerminal: false, input: async () => '', write: async () => {}, report: () => {} },
  () => {},
);

/**
 * Finds the command of `ops` that a document names, and the options that it names.
 * @param words the words after `ops` @returns what the program does not have, such as `lst` or `list --all`
 */
export function unknownToOps(words: readonly string[]): string[] {
  let command: ReturnType<typeof opsProgram> = program;
  const names: string[] = [];
  for (const word of words) {
    const next = command.commands.find((one) => one.name() === word);
    if (!next) break;
    command = next;
    names.push(word);
  }
  if (command.commands.length > 0) return [words.slice(0, names.length + 1).join(' ')];
  const known = [...program.options, ...command.options].map(({ long }) => long);
  const typed = words.flatMap((word) => /^--[a-z-]+/.exec(word)?.[0] ?? []);
  return typed.filter((option) => !known.includes(option)).map((option) => [...names, option].join(' '));
}
