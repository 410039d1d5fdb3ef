import type { z } from 'zod';
import type { FailureCode } from '../messages/failure.ts';

/** One operation of the API. The gateway, the API document and the clients share it. */
export interface Endpoint {
  readonly method: 'GET' | 'POST';
  /** With parameters in braces, such as '/jobs/{jobId}/payment'. */
  readonly path: string;
  readonly summary: string;
  /** Needs no API key. */
  readonly isPublic?: true;
  readonly body?: z.ZodType;
  readonly query?: z.ZodObject;
  /** Schemas by header name; all headers are optional. */
  readonly headers?: Readonly<Record<string, z.ZodType>>;
  readonly success: {
    readonly status: number;
    readonly description: string;
    readonly schema: z.ZodType;
    /** @default 'application/json' */
    readonly mediaType?: string | undefined;
  };
  /** Codes beyond those that every endpoint with an API key can answer. */
  readonly failures: readonly FailureCode[];
}

/** Codes that every endpoint with an API key can answer. */
export const COMMON_FAILURES: readonly FailureCode[] = ['UNAUTHORIZED', 'FORBIDDEN', 'TOO_MANY_REQUESTS', 'INTERNAL'];

/** Codes of an endpoint that sends a request to a service. */
export const DOWN = ['SERVICE_UNAVAILABLE', 'SERVICE_TIMEOUT'] as const satisfies readonly FailureCode[];

/** Codes of an endpoint with a request body. */
export const BODY = [
  'INVALID_REQUEST',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
] as const satisfies readonly FailureCode[];

/** A success with status 200. */
export const ok = <Schema extends z.ZodType>(description: string, schema: Schema, mediaType?: string) => ({
  status: 200,
  description,
  schema,
  mediaType,
});
