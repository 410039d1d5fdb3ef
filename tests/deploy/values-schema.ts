import { isMap, isScalar, isSeq, type Pair, parse, parseDocument, type YAMLMap } from 'yaml';

type Schema = Record<string, unknown>;

const ANNOTATION = '@schema ';
const DESCRIPTION = '-- ';
const INHERITS = '@inherits ';

/** A Kubernetes quantity of CPU, memory or storage. */
const QUANTITY = {
  type: ['string', 'number'],
  pattern: '^[0-9]+([.][0-9]+)?(m|k|[KMGTPE]i?|[eE][0-9]+)?$',
  minimum: 0,
};
const QUANTITIES = { type: 'object', additionalProperties: QUANTITY };

/** A valid name of a Secret, a ConfigMap or a claim; empty for none. */
const OBJECT_NAME = { type: 'string', pattern: '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$' };
const WEB_ADDRESS = { type: 'string', pattern: '^(https?://[^ ]+)?$' };
const named = (...required: string[]) => ({ type: 'array', items: { type: 'object', required } });
const TOLERATION = {
  key: 'string',
  operator: 'string',
  value: 'string',
  effect: 'string',
  tolerationSeconds: 'integer',
};

/** Schemas of values by their names, in all sections. */
const SHAPES: Readonly<Record<string, Schema>> = {
  existingSecret: OBJECT_NAME,
  existingConfigMap: OBJECT_NAME,
  existingClaim: OBJECT_NAME,
  registry: { type: 'string', pattern: '^([a-z0-9.-]+(:[0-9]{1,5})?(/[a-z0-9._/-]+)?)?$' },
  repository: { type: 'string', pattern: '^([a-z0-9][a-z0-9._/:-]*)?$' },
  tag: { type: 'string', pattern: '^([A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?$' },
  apiBaseUrl: WEB_ADDRESS,
  explorerUrl: WEB_ADDRESS,
  socialUrl: WEB_ADDRESS,
  messagingUrl: WEB_ADDRESS,
  runbookBaseUrl: WEB_ADDRESS,
  extraEnv: named('name'),
  extraVolumes: named('name'),
  extraVolumeMounts: named('name', 'mountPath'),
  tolerations: {
    type: 'array',
    items: {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(Object.entries(TOLERATION).map(([field, type]) => [field, { type }])),
    },
  },
  resources: {
    type: 'object',
    additionalProperties: false,
    properties: { requests: QUANTITIES, limits: QUANTITIES, claims: { type: 'array', items: { type: 'object' } } },
  },
};

/**
 * JSON schema of a chart's values, generated from the values file: types from the defaults, descriptions from the README's comments
 * (`# -- …`), limits from `# @schema {…}` before them, and inherited values from `# @inherits <section> [without <value> …]`. A value
 * that is not in the file is refused; an empty map or list accepts anything, except the names in {@link SHAPES}.
 * @throws Error naming a value without a description
 */
export function valuesSchema(valuesFile: string, title: string): Schema {
  const document = parseDocument(valuesFile);
  if (!isMap(document.contents)) throw new Error('the values are not a map');
  const sections: Sections = new Map();
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title,
    ...withDefinitions(objectSchema(document.contents, [], sections)),
  };
}

/** Shortest text of a schema that is worth a definition. */
const SHORTEST_DEFINED = 120;

/** Replaces each schema that occurs twice by a reference to `$defs`, named by the value where it is first. */
function withDefinitions(schema: ObjectSchema): Schema {
  const counts = new Map<string, number>();
  const count = (one: Schema): void => {
    const text = JSON.stringify(one);
    const seen = counts.get(text) ?? 0;
    counts.set(text, seen + 1);
    if (seen === 0) for (const inner of Object.values(one.properties ?? {})) count(inner as Schema);
  };
  count(schema);
  const definitions: Record<string, Schema> = {};
  const names = new Map<string, string>();
  const shared = (one: Schema, path: readonly string[]): Schema => {
    const text = JSON.stringify(one);
    if (text.length < SHORTEST_DEFINED || counts.get(text) === 1) return inner(one, path);
    const name = names.get(text) ?? path.join('.');
    if (!names.has(text)) {
      names.set(text, name);
      definitions[name] = inner(one, path);
    }
    return { $ref: `#/$defs/${name}` };
  };
  const inner = (one: Schema, path: readonly string[]): Schema => {
    if (!isObjectSchema(one)) return one;
    const properties = Object.entries(one.properties).map(([name, below]) => [name, shared(below, [...path, name])]);
    return { ...one, properties: Object.fromEntries(properties) };
  };
  return { ...inner(schema, []), $defs: definitions };
}

/** Schemas of earlier sections, from which later ones inherit. */
type Sections = Map<string, ObjectSchema>;
type ObjectSchema = Schema & { readonly properties: Record<string, Schema>; readonly required?: readonly string[] };

function objectSchema(map: YAMLMap, path: readonly string[], sections: Sections): ObjectSchema {
  const properties = Object.fromEntries(
    map.items.map((pair, index) => {
      const name = String(isScalar(pair.key) ? pair.key.value : pair.key);
      // The parser assigns the comment before a map's first entry to the map.
      const comment = index === 0 && path.length > 0 ? map.commentBefore : commentOf(pair);
      const schema = valueSchema(pair.value, readComment(comment ?? ''), [...path, name], sections);
      if (path.length === 0 && isObjectSchema(schema)) sections.set(name, schema);
      return [name, schema];
    }),
  );
  // Helm removes a value that is null, and a template would end in a nil pointer.
  return { type: 'object', additionalProperties: false, required: Object.keys(properties), properties };
}

const isObjectSchema = (schema: Schema | undefined): schema is ObjectSchema => schema?.properties !== undefined;

/** A schema whose values may be left out, since others stand in for them. */
function optional({ required: _, ...schema }: Schema): Schema {
  if (!isObjectSchema(schema)) return schema;
  const properties = Object.entries(schema.properties).map(([name, below]) => [name, optional(below)]);
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** A section's own values, and those of its inherited section. */
function inherited(own: ObjectSchema, from: ObjectSchema): ObjectSchema {
  const properties = { ...(optional(from) as ObjectSchema).properties };
  for (const [name, schema] of Object.entries(own.properties)) {
    const below = properties[name];
    properties[name] = isObjectSchema(schema) && isObjectSchema(below) ? inherited(schema, below) : schema;
  }
  return { ...own, properties };
}

/** @throws Error if it has no such value */
function without(schema: ObjectSchema, path: readonly string[]): ObjectSchema {
  const [name = '', ...rest] = path;
  const { [name]: found, ...others } = schema.properties;
  if (found === undefined) throw new Error(`there is no ${path.join('.')} to leave out`);
  if (rest.length === 0) return { ...schema, properties: others };
  if (!isObjectSchema(found)) throw new Error(`${name} has no ${rest.join('.')}`);
  return { ...schema, properties: { ...schema.properties, [name]: without(found, rest) } };
}

interface Inheritance {
  readonly section: string;
  readonly left: readonly string[];
}

function inheritanceOf(lines: readonly string[]): Inheritance | undefined {
  const text = lines.find((line) => line.startsWith(INHERITS))?.slice(INHERITS.length);
  if (text === undefined) return undefined;
  const [section = '', left = ''] = text.split(' without ');
  return { section, left: left.split(' ').filter(Boolean) };
}

function commentOf(pair: Pair): string | null | undefined {
  return isScalar(pair.key) ? pair.key.commentBefore : undefined;
}

interface Comment {
  readonly description: string | undefined;
  readonly annotation: Schema;
  readonly inheritance: Inheritance | undefined;
}

/** Reads the lines of a comment, given without their '#'. */
function readComment(comment: string): Comment {
  const lines = comment.split('\n').map((line) => line.trim());
  const annotation = lines.find((line) => line.startsWith(ANNOTATION))?.slice(ANNOTATION.length);
  const begin = lines.findLastIndex((line) => line.startsWith(DESCRIPTION));
  const description =
    begin < 0
      ? undefined
      : [lines[begin]?.slice(DESCRIPTION.length), ...lines.slice(begin + 1)].filter(Boolean).join(' ');
  return {
    description,
    annotation: annotation ? (parse(annotation) as Schema) : {},
    inheritance: inheritanceOf(lines),
  };
}

function valueSchema(value: unknown, comment: Comment, path: readonly string[], sections: Sections): Schema {
  const { description, annotation, inheritance } = comment;
  if (isMap(value) && value.items.length > 0 && description === undefined) {
    const own = objectSchema(value, path, sections);
    if (inheritance === undefined) return own;
    const from = sections.get(inheritance.section);
    if (from === undefined)
      throw new Error(`${path.join('.')} inherits from ${inheritance.section}, which is not before it`);
    return inherited(
      own,
      inheritance.left.reduce((rest, left) => without(rest, left.split('.')), from),
    );
  }
  if (description === undefined) throw new Error(`${path.join('.')} has no description`);
  return { description, ...(SHAPES[path.at(-1) ?? ''] ?? typeOf(value, path)), ...annotation };
}

function typeOf(value: unknown, path: readonly string[]): Schema {
  if (isMap(value)) return { type: 'object' };
  if (isSeq(value)) return { type: 'array' };
  const content: unknown = isScalar(value) ? value.value : undefined;
  if (typeof content === 'number') return { type: Number.isInteger(content) ? 'integer' : 'number' };
  if (typeof content === 'boolean' || typeof content === 'string') return { type: typeof content };
  throw new Error(`${path.join('.')} has no default that shows its type`);
}
