import { STATUS_CODES } from 'node:http';
import {
  COMMON_FAILURES,
  closed,
  type Endpoint,
  errorBodySchema,
  FAILURE_STATUS,
  healthResponseSchema,
  IDEMPOTENCY_KEY_HEADER,
  jobIdSchema,
} from '@maker/contracts';
import type { z } from 'zod';
import { answerExample } from './examples.ts';
import { type Json, jsonSchema, NamedSchemas } from './named-schemas.ts';
import { IDEMPOTENT_REPLAYED, RATE_HEADERS, REQUEST_ID, RETRY_AFTER } from './response-headers.ts';
import { webhooks } from './webhooks.ts';

/** Contents of a document. */
export interface Subject {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly endpoints: Readonly<Record<string, Endpoint>>;
  /** Tags of operations by the beginning of their paths; the longest match counts. */
  readonly tags: Readonly<Record<string, { readonly name: string; readonly description: string }>>;
  readonly hasWebhooks: boolean;
}

/** Makes the OpenAPI 3.1 document of a subject from the schemas that validate requests. */
export function openApiDocument(subject: Subject): Json {
  const { title, version, description, tags, hasWebhooks } = subject;
  const webhookTag = { name: 'Webhooks', description: 'Messages to your endpoint. See docs/webhooks.md.' };
  const named = new NamedSchemas();
  const endpoints = Object.values(subject.endpoints);
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      description,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: '/', description: 'The server that sent this document' }],
    security: [{ apiKey: [] }],
    tags: [
      ...new Map([...Object.values(tags), ...(hasWebhooks ? [webhookTag] : [])].map((tag) => [tag.name, tag])).values(),
    ],
    paths: named.refer(paths(subject)),
    ...(hasWebhooks ? { webhooks: webhooks(webhookTag.name, named) } : {}),
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'Ask the operator for a key.' },
      },
      headers: {
        ...RATE_HEADERS,
        'Retry-After': RETRY_AFTER,
        'X-Request-Id': REQUEST_ID,
        ...(endpoints.some(isRepeatable) && { 'Idempotent-Replayed': IDEMPOTENT_REPLAYED }),
      },
      schemas: named.used,
    },
  };
}

function paths(subject: Subject): Json {
  const byPath: Record<string, Json> = {};
  for (const [name, endpoint] of Object.entries(subject.endpoints)) {
    const { path, method } = endpoint;
    byPath[path] = { ...byPath[path], [method.toLowerCase()]: operation(name, endpoint, tagOf(subject, path)) };
  }
  return byPath;
}

function tagOf({ tags }: Subject, path: string): string {
  const [prefix = ''] = Object.keys(tags)
    .filter((one) => path.startsWith(one))
    .sort((one, other) => other.length - one.length);
  const tag = tags[prefix];
  if (!tag) throw new Error(`no tag for ${path}`);
  return tag.name;
}

function operation(operationId: string, route: Endpoint, tag: string): Json {
  return {
    operationId,
    tags: [tag],
    summary: route.summary,
    description: `${route.summary}.`,
    ...(route.isPublic ? { security: [] } : {}),
    parameters: [
      ...parametersIn('path', route.path.includes('{jobId}') ? { jobId: jobIdSchema } : {}),
      ...parametersIn('query', route.query?.shape),
      ...parametersIn('header', route.headers),
    ],
    ...(route.body ? { requestBody: { required: true, content: content(closed(route.body)) } } : {}),
    responses: {
      [route.success.status]: {
        description: route.success.description,
        headers: headersOf(route, route.success.status),
        content: content(route.success.schema, route.success.mediaType, answerExample(operationId)),
      },
      ...failures(route),
    },
  };
}

function parametersIn(place: 'path' | 'query' | 'header', shape: Readonly<Record<string, z.ZodType>> = {}): Json[] {
  return Object.entries(shape).map(([name, one]) => {
    // A coerced number accepts any input, so its output type describes the parameter.
    const { description, ...schema } = jsonSchema(one, place === 'query' ? 'output' : 'input');
    const required = place !== 'header' && !one.safeParse(undefined).success;
    // An object is sent as `name[entry]=value`.
    const style = schema.type === 'object' ? { style: 'deepObject', explode: true } : {};
    return { name, in: place, required, description, ...style, schema };
  });
}

function failures(route: Endpoint): Json {
  const codes = [...(route.isPublic ? [] : COMMON_FAILURES), ...route.failures];
  const byStatus = Map.groupBy(codes, (code) => FAILURE_STATUS[code]);
  return {
    ...Object.fromEntries(
      [...byStatus].map(([status, ofStatus]) => [
        status,
        {
          description: `${STATUS_CODES[status]}: ${ofStatus.join(', ')}`,
          headers: headersOf(route, status),
          content: content(errorBodySchema),
        },
      ]),
    ),
    ...(route.path === '/healthz' && { 503: { description: 'It cannot', content: content(healthResponseSchema) } }),
  };
}

/** Whether a client can repeat a request without a second effect. */
const isRepeatable = ({ headers }: Endpoint) => headers?.[IDEMPOTENCY_KEY_HEADER] !== undefined;

/** Headers of an answer. Requests with a valid key count for the limit. Temporary refusals have Retry-After. */
function headersOf(endpoint: Endpoint, status: number): Json {
  const { isPublic, success } = endpoint;
  const isCounted = !isPublic && ![401, 403, 429].includes(status);
  const names = ['X-Request-Id', ...(isCounted ? Object.keys(RATE_HEADERS) : [])];
  if (status === 429 || status === 503) names.push('Retry-After');
  if (status === success.status && isRepeatable(endpoint)) names.push('Idempotent-Replayed');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

function content(schema: z.ZodType, mediaType = 'application/json', example?: unknown): Json {
  return { [mediaType]: { schema: jsonSchema(schema), ...(example === undefined ? {} : { example }) } };
}
