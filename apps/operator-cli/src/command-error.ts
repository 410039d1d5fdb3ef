import { parseArgs } from 'node:util';

/** An error that ends a command with one line, without a stack trace. `code` is stable, `message` is for people. */
export abstract class CommandError extends Error {
  abstract readonly code: string;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** The arguments of a command are invalid. */
export class UsageError extends CommandError {
  readonly code = 'USAGE';
}

/** Parses arguments: each option in `names` has a value, each flag has none. @throws UsageError with the usage */
export function readOptions<Name extends string, Flag extends string = never>(
  args: readonly string[],
  names: readonly Name[],
  usage: string,
  { allowPositionals = false, flags = [] }: { allowPositionals?: boolean; flags?: readonly Flag[] } = {},
): {
  readonly positionals: readonly string[];
  readonly values: Readonly<Partial<Record<Name, string> & Record<Flag, boolean>>>;
} {
  const options = Object.fromEntries([
    ...names.map((name) => [name, { type: 'string' }] as const),
    ...flags.map((flag) => [flag, { type: 'boolean' }] as const),
  ]);
  try {
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals });
    return { positionals, values: values as Partial<Record<Name, string> & Record<Flag, boolean>> };
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message.split('. ')[0] : error}; ${usage}`);
  }
}
