import { execFileSync } from 'node:child_process';
import {
  COMMON_FAILURES,
  hashSchema,
  jobIdSchema,
  priceX96Schema,
  timeSchema,
  VISITOR_ENDPOINTS,
  weiSchema,
} from '@maker/contracts';
import { z } from 'zod';
import { visitorDocument } from '../../apps/api-gateway/src/openapi/documents.ts';
import { BIOME } from '../../tools/tool.ts';

type TypeName = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

/** The part of JSON Schema that the document uses. */
interface JsonSchema {
  readonly type?: TypeName | readonly TypeName[];
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly $schema?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly $ref?: string;
}

interface Content {
  readonly content: { readonly 'application/json': { readonly schema: JsonSchema } };
}
interface Document {
  readonly webhooks: Readonly<Record<string, { readonly post: { readonly requestBody: Content } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** Text types of many fields, by their schemas. */
const TEXTS: readonly (readonly [name: string, schema: JsonSchema])[] = [
  ['Amount', jsonSchema(weiSchema)],
  ['Time', jsonSchema(timeSchema)],
  ['JobId', jsonSchema(jobIdSchema)],
  ['Hash', jsonSchema(hashSchema)],
  ['PriceX96', jsonSchema(priceX96Schema)],
];

/** Beginning of a reference to a named schema. */
const REFERENCE = '#/components/schemas/';

const HEADER = `// A script writes this file from the OpenAPI document: run \`npm run docs:reference\` after a change.

/** Code of a refusal; \`docs/errors.md\` says what to do for each. */
`;

/** The file \`libs/client/src/api-types.ts\`. */
export function clientTypes(): string {
  const { webhooks, components } = visitorDocument() as unknown as Document;
  // `MakerError` is the client's form of an error.
  const { Error: _, ...schemas } = components.schemas;
  const named = Object.entries(schemas).filter(([name]) => !name.endsWith('Message'));
  const names = new Map(TEXTS.map(([name, schema]) => [shapeOf(schema), name] as const));
  const data = Object.entries(webhooks).map(([type, { post }]) => {
    const message = present(schemas[present(schemaOf(post.requestBody).$ref).slice(REFERENCE.length)]);
    const schema = present(message.properties?.data);
    const dataType = typeOf(schema, names);
    names.set(shapeOf(schema), `WebhookData['${type}']`);
    return `/** ${message.description ?? type} */\n'${type}': ${dataType};`;
  });
  return format(
    [
      `${HEADER}export type ErrorCode = ${errorCodes().map(literal).join(' | ')};`,
      ...TEXTS.map(([name, { description }]) => `/** ${description} */\nexport type ${name} = string;`),
      ...named.map(([name, schema]) => `/** ${schema.description} */\n${declaration(name, schema, names)}`),
      `/** Data of a message to your endpoint, by its type. */\nexport interface WebhookData {\n${data.join('\n')}\n}`,
    ].join('\n\n'),
  );
}

const declaration = (name: string, schema: JsonSchema, names: ReadonlyMap<string, string>) =>
  schema.properties
    ? `export interface ${name} ${fieldsOf(schema, names)}`
    : `export type ${name} = ${typeOf(schema, names)};`;

const errorCodes = () =>
  [...new Set([...COMMON_FAILURES, ...Object.values(VISITOR_ENDPOINTS).flatMap(({ failures }) => failures)])].sort();

const literal = (value: unknown) => JSON.stringify(value);

function schemaOf(part: Content | undefined): JsonSchema {
  return present(part).content['application/json'].schema;
}

function present<Part>(part: Part | undefined): Part {
  if (part === undefined) throw new Error('the OpenAPI document lacks a schema of the client');
  return part;
}

function jsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: 'input' }) as JsonSchema;
}

/** The comparable part of a schema: equal for schemas of the same type. */
const shapeOf = ({ description: _, examples: __, $schema: ___, ...shape }: JsonSchema) => JSON.stringify(shape);

function typeOf(schema: JsonSchema, names: ReadonlyMap<string, string>): string {
  if (schema.$ref) return schema.$ref.slice(REFERENCE.length);
  const name = names.get(shapeOf(schema));
  if (name) return name;
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join(' | ');
  if (schema.anyOf) return schema.anyOf.map((one) => typeOf(one, names)).join(' | ');
  if (schema.type === 'array') return `(${typeOf(schema.items ?? {}, names)})[]`;
  if (schema.type !== 'object') return [schema.type ?? []].flat().map(simpleType).join(' | ') || 'unknown';
  if (schema.properties) return fieldsOf(schema, names);
  const { additionalProperties: values } = schema;
  return `Record<string, ${typeof values === 'object' ? typeOf(values, names) : 'unknown'}>`;
}

const simpleType = (type: TypeName) => (type === 'integer' ? 'number' : type);

function fieldsOf({ properties = {}, required = [] }: JsonSchema, names: ReadonlyMap<string, string>): string {
  const fields = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?';
    const line = `${name}${mark}: ${typeOf(schema, names)};`;
    const isSaidByType = TEXTS.some(([, { description }]) => description === schema.description);
    return isSaidByType ? line : `/** ${schema.description?.replaceAll('*/', '* /')} */\n${line}`;
  });
  return `{\n${fields.join('\n')}\n}`;
}

const format = (text: string) =>
  execFileSync(BIOME, ['format', '--stdin-file-path=libs/client/src/api-types.ts'], {
    input: text,
    encoding: 'utf8',
  });
