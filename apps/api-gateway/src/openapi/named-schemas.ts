import { NAMED_SCHEMAS } from '@maker/contracts';
import { z } from 'zod';

/** Part of a document. */
export type Json = Record<string, unknown>;

/** @param io `input` for bodies: the schema before its transforms */
export function jsonSchema(schema: z.ZodType, io: 'input' | 'output' = 'input'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' });
  return rest;
}

/** The named schemas that a document refers to: its `components.schemas`. */
export class NamedSchemas {
  readonly used: Record<string, Json> = {};
  private readonly names = new Map<string, string>();

  constructor() {
    for (const [name, { schema }] of Object.entries(NAMED_SCHEMAS)) {
      const shape = shapeOf(jsonSchema(schema));
      if (!this.names.has(shape)) this.names.set(shape, name);
    }
  }

  /** The part with a reference in the place of each schema that has the shape of a named one. Examples stay. */
  refer(part: Json): Json {
    const name = 'type' in part ? this.names.get(shapeOf(part)) : undefined;
    if (name === undefined) return this.referWithin(part);
    return this.define(name, NAMED_SCHEMAS[name]?.description ?? name, part);
  }

  /** Names a schema of this document. @returns a reference to it */
  define(name: string, description: string, schema: Json): Json {
    this.used[name] ??= { ...this.referWithin(schema), description };
    return { $ref: `#/components/schemas/${name}`, ...(schema.description ? { description: schema.description } : {}) };
  }

  private referWithin(part: Json): Json {
    const referIn = (one: unknown): unknown => {
      if (Array.isArray(one)) return one.map(referIn);
      return typeof one === 'object' && one !== null ? this.refer(one as Json) : one;
    };
    const isExample = (key: string) => key === 'example' || key === 'examples';
    return Object.fromEntries(Object.entries(part).map(([key, one]) => [key, isExample(key) ? one : referIn(one)]));
  }
}

/** The part of a schema that two fields of one type share. */
const shapeOf = ({ description: _, examples: __, ...shape }: Json) => JSON.stringify(shape);
