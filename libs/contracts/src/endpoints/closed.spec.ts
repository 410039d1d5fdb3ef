import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { closed } from './closed.ts';
import { ENDPOINTS } from './endpoints.ts';

const requests = Object.entries(ENDPOINTS).flatMap(([name, endpoint]) =>
  (['body', 'query'] as const).flatMap((part) => {
    const schema = (endpoint as Partial<Record<'body' | 'query', z.ZodType>>)[part];
    return schema ? [[`${part} of ${name}`, schema] as const] : [];
  }),
);

/** Objects of a JSON schema that take any further field. */
function openObjects(part: unknown, path = ''): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const { type, additionalProperties } = part as { type?: string; additionalProperties?: unknown };
  const own = type === 'object' && additionalProperties === undefined ? [path] : [];
  return [...own, ...Object.entries(part).flatMap(([name, one]) => openObjects(one, `${path}/${name}`))];
}

const problemOf = (schema: z.ZodType, value: unknown) => closed(schema).safeParse(value).error?.issues[0]?.message;

describe('a closed request', () => {
  it.each(requests)('has no open object in the %s', (_, schema) => {
    expect(openObjects(z.toJSONSchema(closed(schema), { io: 'input' }))).toEqual([]);
  });

  it.each(requests)('names the field that the %s means', (_, schema) => {
    const json = z.toJSONSchema(schema, { io: 'input' }) as { properties?: object; anyOf?: { properties: object }[] };
    for (const name of Object.keys(json.properties ?? json.anyOf?.[0]?.properties ?? {})) {
      const misspelt = `${name.slice(0, -2)}${[...name.slice(-2)].reverse().join('')}x`;
      const problems = closed(schema)
        .safeParse({ [misspelt]: '' })
        .error?.issues.map(({ message }) => message);
      expect(problems?.join()).toContain(`unknown field '${misspelt}'; did you mean '${name}'?`);
    }
  });

  it('lists the known fields for a strange name', () => {
    const schema = z.object({ stopSecret: z.string().optional() });
    expect(problemOf(schema, { reason: 1 })).toBe("unknown field 'reason'; known: stopSecret");
    expect(problemOf(schema, { [`mk_${'x'.repeat(40)}`]: 1 })).toBe('unknown field; known: stopSecret');
    expect(problemOf(schema, { StopSecret: 1 })).toBe("unknown field 'StopSecret'; did you mean 'stopSecret'?");
    expect(problemOf(schema, [])).toBe('the body must be a JSON object');
  });
});
