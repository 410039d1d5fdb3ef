import { z } from 'zod';

/** An unknown name is repeated only if it is shorter than a secret: a caller may send a key in the wrong place. */
const REPEATED_NAME = /^\w{1,24}$/;

/**
 * The schema of a request's body or query that refuses unknown fields and names the nearest known one. Each request is read and described
 * by it; messages between services keep ignoring fields of newer senders.
 */
export function closed(schema: z.ZodType): z.ZodType {
  if (!(schema instanceof z.ZodUnion)) return closedPart(schema);
  const error: z.core.$ZodErrorMap = ({ errors }) => nearestFailure(errors as z.core.$ZodIssue[][]);
  return schema.clone({ ...schema.def, options: schema.options.map(closedPart), error });
}

function closedPart(schema: z.core.$ZodType): z.ZodType {
  if (!(schema instanceof z.ZodObject)) throw new Error('a body or query is an object, or a union of objects');
  const known = Object.keys(schema.shape);
  return schema.clone({
    ...schema.def,
    catchall: z.never(),
    error: ({ code, keys }) =>
      code === 'unrecognized_keys' ? unknownFields(keys as string[], known) : 'the body must be a JSON object',
  });
}

/** What is wrong with the option that the request fits best. */
function nearestFailure(options: readonly (readonly z.core.$ZodIssue[])[]): string | undefined {
  const [nearest] = [...options].sort((one, other) => one.length - other.length);
  return nearest?.map(({ path, message }) => [...path, message].join(': ')).join('; ');
}

function unknownFields(names: readonly string[], known: readonly string[]): string {
  return names.map((name) => unknownField(name, known)).join('; ');
}

function unknownField(name: string, known: readonly string[]): string {
  const shown = REPEATED_NAME.test(name) ? `unknown field '${name}'` : 'unknown field';
  const [nearest] = known
    .map((one) => ({ one, edits: editsBetween(plain(name), plain(one)) }))
    .filter(({ one, edits }) => edits * 2 <= one.length)
    .sort((one, other) => one.edits - other.edits);
  return nearest ? `${shown}; did you mean '${nearest.one}'?` : `${shown}; known: ${known.join(', ')}`;
}

/** Without case and separators: 'return_address' means 'returnAddress'. A long name is like none. */
const plain = (name: string) => name.slice(0, 64).replace(/[_-]/g, '').toLowerCase();

/** Levenshtein distance. */
function editsBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1];
    for (let column = 1; column <= other.length; column++) {
      const replaced = (row[column - 1] ?? 0) + (letter === other[column - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}
