import { readFileSync } from 'node:fs';
import { ENDPOINTS, jobCreatorSchema, jobIdSchema, WEBHOOK_EVENTS, WITHHELD_FROM_WEBHOOKS } from '@maker/contracts';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { operatorDocument, visitorDocument } from './documents.ts';
import { answerExample, messageExample } from './examples.ts';
import type { Json } from './named-schemas.ts';

const VISITORS = visitorDocument();
const OPERATORS = operatorDocument();

const documents: [string, Json][] = [
  ['visitors', VISITORS],
  ['operators', OPERATORS],
];

/** Paths of the properties and parameters below a part that have no description. */
function undescribed(part: unknown, path: string): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const { properties, parameters } = part as { properties?: Json; parameters?: Json[] };
  const described = [...Object.entries(properties ?? {}), ...(parameters ?? []).map((one) => [one.name, one] as const)];
  const own = described.filter(([, one]) => !(one as Json).description).map(([name]) => `${path}/${String(name)}`);
  return [...own, ...Object.entries(part).flatMap(([name, one]) => undescribed(one, `${path}/${name}`))];
}

const operationsOf = (document: Json) =>
  [document.paths, document.webhooks ?? {}].flatMap((group) =>
    Object.values(group as Record<string, Record<string, Json>>).flatMap((methods) => Object.values(methods)),
  );

/** The schema of a part: the part, or the named schema to which it refers. */
function resolved(part: Json): Json {
  const { schemas } = VISITORS.components as { schemas: Record<string, Json> };
  return (typeof part.$ref === 'string' && schemas[part.$ref.replace('#/components/schemas/', '')]) || part;
}

/** Schema of an operation's request body. */
const bodySchema = ({ requestBody }: Json) =>
  resolved(
    (requestBody as { content: { 'application/json': { schema: Json } } }).content['application/json'].schema,
  ) as {
    readonly properties: Readonly<Record<string, Json>>;
  };

it.each(documents)('describes each property and parameter for %s', (_, document) => {
  expect(undescribed(document, '')).toEqual([]);
});

it.each(documents)('describes and tags each operation for %s', (_, document) => {
  const operations = operationsOf(document);
  expect(operations.length).toBeGreaterThan(10);
  for (const { description, tags, summary } of operations) {
    expect(description).toBeTruthy();
    expect(summary).toBeTruthy();
    expect(tags).toHaveLength(1);
  }
});

it.each(documents)('defines the named schemas that it refers to for %s', (_, document) => {
  const { components } = document as { components: { schemas: Record<string, Json> } };
  const references = JSON.stringify(document).match(/#\/components\/schemas\/\w+/g) ?? [];
  expect([...new Set(references)].sort()).toEqual(
    Object.keys(components.schemas)
      .map((name) => `#/components/schemas/${name}`)
      .sort(),
  );
  for (const [name, { description }] of Object.entries(components.schemas)) expect(description, name).toBeTruthy();
});

it('gives each body and JSON answer of visitors a name', () => {
  const unnamed = operationsOf(VISITORS).flatMap(({ operationId, requestBody, responses }) => {
    const [, success] = Object.entries(responses as Json).find(([status]) => /^20\d$/.test(status)) ?? [];
    const schemas = [requestBody, success].flatMap((part) => {
      const { content } = (part ?? {}) as { content?: Readonly<Record<string, { readonly schema: Json }>> };
      const schema = content?.['application/json']?.schema;
      return schema ? [schema] : [];
    });
    return schemas.some((schema) => schema.$ref === undefined) ? [operationId] : [];
  });
  expect(unnamed).toEqual(['downloadSignedReceipt', 'getOpenApi']);
});

it.each(documents)('has the version of the product for %s', (_, document) => {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  expect(document.info).toMatchObject({ version: JSON.parse(manifest).version });
});

it('keeps operations of operators out of the document of visitors', () => {
  expect(Object.keys(VISITORS.paths as Json).filter((path) => path.startsWith('/operator'))).toEqual([]);
});

it('documents Retry-After with each temporary refusal', () => {
  const refusals = operationsOf(VISITORS).flatMap(({ responses }) =>
    Object.entries(responses as Record<string, Json>).filter(([status]) => status === '429'),
  );
  expect(refusals.length).toBeGreaterThan(5);
  for (const [, { headers }] of refusals) expect(headers).toHaveProperty('Retry-After');
});

it('gives an example of each field of a body', () => {
  const bodies = operationsOf(VISITORS).filter(
    ({ operationId, requestBody }) => requestBody && !String(operationId).startsWith('webhook.'),
  );
  expect(bodies.length).toBeGreaterThan(4);
  for (const operation of bodies) {
    const fields = Object.entries(bodySchema(operation).properties);
    const bare = fields.filter(([, { type, examples }]) => type !== 'boolean' && !examples);
    expect(bare.map(([name]) => `${operation.operationId}: ${name}`)).toEqual([]);
  }
});

it.each(documents)('gives an example of each answer and message for %s', (_, document) => {
  const isDocument = ({ operationId }: Json) => /^get(Operator)?OpenApi$/.test(String(operationId));
  for (const operation of operationsOf(document).filter((one) => !isDocument(one))) {
    const [, success] = Object.entries(operation.responses as Json).find(([status]) => /^20\d$/.test(status)) ?? [];
    const { content } = (success ?? operation.requestBody) as { content: Record<string, Json> };
    for (const { example } of Object.values(content)) expect(example, String(operation.operationId)).toBeTruthy();
  }
});

it('gives examples that the contracts accept', () => {
  for (const [name, { success }] of Object.entries(ENDPOINTS)) {
    const example = answerExample(name);
    if (example !== undefined) expect(success.schema.safeParse(example).error, name).toBeUndefined();
  }
  for (const { contract } of WEBHOOK_EVENTS) {
    const fields = Object.entries(contract.data.shape).filter(([name]) => !WITHHELD_FROM_WEBHOOKS.includes(name));
    const schema = z.strictObject({ jobId: jobIdSchema, ...jobCreatorSchema.shape, ...Object.fromEntries(fields) });
    const { data } = messageExample(contract.type) as { data: unknown };
    expect(schema.safeParse(data).error, contract.type).toBeUndefined();
  }
});

it('describes the bounds of metadata in bodies and messages', () => {
  const bounds = { maxProperties: 20, additionalProperties: { type: 'string', maxLength: 500 } };
  const operations = operationsOf(VISITORS);
  const isMessage = ({ operationId }: Json) => String(operationId).startsWith('webhook.');
  const bodies = [
    ...operations.filter(({ operationId }) => operationId === 'createJob').map(bodySchema),
    ...operations
      .filter(isMessage)
      .map((operation) => bodySchema(operation).properties.data as ReturnType<typeof bodySchema>),
  ];
  expect(bodies).toHaveLength(1 + WEBHOOK_EVENTS.length);
  for (const { properties } of bodies) expect(properties.metadata).toMatchObject(bounds);
});

it('describes each type of message without wallet index', () => {
  const { webhooks, components } = VISITORS as { webhooks: Record<string, unknown>; components: Json };
  expect(Object.keys(webhooks)).toContain('job.activated');
  expect(JSON.stringify([webhooks, components])).not.toContain('walletIndex');
});
