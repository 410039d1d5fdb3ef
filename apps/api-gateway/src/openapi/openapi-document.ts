import { STATUS_CODES } from 'node:http';
import {
  COMMON_FAILURES,
  ENDPOINTS,
  type Endpoint,
  errorBodySchema,
  FAILURE_STATUS,
  type FailureCode,
  healthResponseSchema,
  jobIdSchema,
} from '@maker/contracts';
import { z } from 'zod';

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the API, made from the schemas that validate it. */
export function openApiDocument(): Json {
  return {
    openapi: '3.1.0',
    info: {
      title: 'HyperEVM Maker Bot API',
      version: '1.0.0',
      description: 'Amounts in wei are decimal strings; times are ISO 8601 in UTC.',
    },
    security: [{ apiKey: [] }],
    paths: paths(),
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
      schemas: { Error: jsonSchema(errorBodySchema, 'input') },
    },
  };
}

function paths(): Json {
  const byPath: Record<string, Json> = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(ENDPOINTS)) {
    const { path, method } = endpoint;
    byPath[path] = { ...byPath[path], [method.toLowerCase()]: operation(name, endpoint) };
  }
  return byPath;
}

function operation(operationId: string, route: Endpoint): Json {
  return {
    operationId,
    summary: route.summary,
    ...(route.isPublic ? { security: [] } : {}),
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...(route.body ? { requestBody: { required: true, content: content(route.body) } } : {}),
    responses: {
      [route.success.status]: {
        description: route.success.description,
        content: content(route.success.schema, route.success.mediaType),
      },
      ...failures(route),
    },
  };
}

function pathParameters({ path }: Endpoint): Json[] {
  if (!path.includes('{jobId}')) return [];
  return [{ name: 'jobId', in: 'path', required: true, schema: jsonSchema(jobIdSchema, 'input') }];
}

function queryParameters({ query }: Endpoint): Json[] {
  return Object.entries((query?.shape ?? {}) as Record<string, z.ZodType>).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !schema.safeParse(undefined).success,
    // A coerced number takes anything as its input; what it must be is its output.
    schema: jsonSchema(schema, 'output'),
  }));
}

function headerParameters({ headers }: Endpoint): Json[] {
  return Object.entries(headers ?? {}).map(([name, schema]) => ({
    name,
    in: 'header',
    required: false,
    schema: jsonSchema(schema, 'input'),
  }));
}

function failures(route: Endpoint): Json {
  if (route.path === '/healthz') {
    return { 503: { description: 'It cannot', content: content(healthResponseSchema) } };
  }
  const codes = new Map<number, FailureCode[]>();
  for (const code of [...(route.isPublic ? [] : COMMON_FAILURES), ...route.failures]) {
    const status = FAILURE_STATUS[code];
    codes.set(status, [...(codes.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...codes].map(([status, ofStatus]) => [
      status,
      {
        description: `${STATUS_CODES[status]}: ${ofStatus.join(', ')}`,
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

function content(schema: z.ZodType, mediaType = 'application/json'): Json {
  return { [mediaType]: { schema: jsonSchema(schema, 'input') } };
}

/** @param io bodies are described by what is written in them, before a schema transforms it */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, target: 'draft-2020-12' });
  return rest;
}
