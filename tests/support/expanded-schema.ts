import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Schema of one of the chart's values or sections. */
export interface ValueSchema {
  /** Of a value; a section has none. */
  readonly description?: string;
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, ValueSchema>>;
}

interface Stored extends ValueSchema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Stored>>;
}

const FILE = new URL('../../charts/hyperevm-maker-bot/values.schema.json', import.meta.url);

/** The schema of the chart's values without references: a component also has its inherited values. */
export function expandedSchema(): ValueSchema {
  const { $defs, ...schema } = JSON.parse(readFileSync(fileURLToPath(FILE), 'utf8')) as Stored & {
    readonly $defs: Readonly<Record<string, Stored>>;
  };
  const expanded = ({ $ref, ...one }: Stored): ValueSchema => {
    const { properties, ...rest } = $ref === undefined ? one : ($defs[$ref.replace('#/$defs/', '')] as Stored);
    if (properties === undefined) return rest;
    const inner = Object.entries(properties).map(([name, below]) => [name, expanded(below)]);
    return { ...rest, properties: Object.fromEntries(inner) };
  };
  return expanded(schema);
}
