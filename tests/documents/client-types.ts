import { execFileSync } from 'node:child_process';
import { COMMON_FAILURES, VISITOR_ENDPOINTS } from '@maker/contracts';
import { visitorDocument } from '../../apps/api-gateway/src/openapi/documents.ts';
import { BIOME } from '../../tools/tool.ts';

type TypeName = 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean' | 'null';

/** A part of JSON Schema, as far as the document uses it. */
interface JsonSchema {
  readonly type?: TypeName | readonly TypeName[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

interface Content {
  readonly content: { readonly 'application/json': { readonly schema: JsonSchema } };
}
interface Operation {
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: { readonly requestBody: Content } }>>;
}

/** Texts that many fields are, by the description that says all of such a field. */
const TEXTS: Readonly<Record<string, string>> = {
  'Amount in wei, or in the smallest unit of the token, as a decimal string.': 'Amount',
  'Time as ISO 8601 in UTC.': 'Time',
  'Id of the job.': 'JobId',
  'Hash of a transaction or block.': 'Hash',
};

const HEADER = `// A script writes this file from the OpenAPI document: run \`npm run docs:reference\` after a change.

/** Code of a refusal; \`docs/errors.md\` says what to do for each. */
`;

/** The file \`libs/client/src/api-types.ts\`. */
export function clientTypes(): string {
  const { paths, webhooks } = visitorDocument() as unknown as Document;
  const bodyOf = (path: string) => schemaOf(paths[path]?.post?.requestBody);
  const answerOf = (path: string, method = 'post', status = 200) => schemaOf(paths[path]?.[method]?.responses[status]);
  const job = answerOf('/jobs/{jobId}/status', 'get');
  const foundToken = job.properties?.foundTokens?.items ?? {};
  const named: [name: string, what: string, schema: JsonSchema][] = [
    ['PlanRequest', 'Body of `POST /plan`.', bodyOf('/plan')],
    ['JobPlan', 'What a job will do.', answerOf('/plan')],
    ['TokenValidation', 'Answer of `POST /validate-token`.', answerOf('/validate-token')],
    ['CreateJobRequest', 'Body of `POST /jobs/create`.', bodyOf('/jobs/create')],
    ['CreatedJob', 'Answer of `POST /jobs/create`.', answerOf('/jobs/create', 'post', 201)],
    ['FoundToken', 'Tokens that a search found at the address of a job.', foundToken],
    ['Job', 'Answer of `GET /jobs/{jobId}/status`.', job],
  ];
  const names = new Map(named.map(([name, , schema]) => [shapeOf(schema), name]));
  const data = Object.entries(webhooks).map(([type, { post }]) => {
    const message = schemaOf(post.requestBody);
    const schema = message.properties?.data ?? {};
    const dataType = typeOf(schema, names);
    names.set(shapeOf(schema), `WebhookData['${type}']`);
    return `/** ${message.description ?? type} */\n'${type}': ${dataType};`;
  });
  return format(
    [
      `${HEADER}export type ErrorCode = ${errorCodes().map(literal).join(' | ')};`,
      ...Object.entries(TEXTS).map(([what, name]) => `/** ${what} */\nexport type ${name} = string;`),
      ...named.map(([name, what, schema]) => `/** ${what} */\nexport interface ${name} ${fieldsOf(schema, names)}`),
      `/** Data of a message to your endpoint, by its type. */\nexport interface WebhookData {\n${data.join('\n')}\n}`,
    ].join('\n\n'),
  );
}

const errorCodes = () =>
  [...new Set([...COMMON_FAILURES, ...Object.values(VISITOR_ENDPOINTS).flatMap(({ failures }) => failures)])].sort();

const literal = (value: unknown) => JSON.stringify(value);

function schemaOf(part: Content | undefined): JsonSchema {
  if (!part) throw new Error('the OpenAPI document lacks what the client names');
  return part.content['application/json'].schema;
}

/** What two schemas have in common that mean the same type. */
const shapeOf = ({ description: _, ...shape }: JsonSchema) => JSON.stringify(shape);

function typeOf(schema: JsonSchema, names: ReadonlyMap<string, string>): string {
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
    const text = schema.type === 'string' ? TEXTS[schema.description ?? ''] : undefined;
    if (text) return `${name}${mark}: ${text};`;
    return `/** ${schema.description?.replaceAll('*/', '* /')} */\n${name}${mark}: ${typeOf(schema, names)};`;
  });
  return `{\n${fields.join('\n')}\n}`;
}

const format = (text: string) =>
  execFileSync(BIOME, ['format', '--stdin-file-path=libs/client/src/api-types.ts'], {
    input: text,
    encoding: 'utf8',
  });
