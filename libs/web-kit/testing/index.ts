import { cleanup } from '@testing-library/react';
import { afterEach, beforeEach, vi } from 'vitest';
import { ApiClient } from '../src/api/api-client.ts';
import { type PageConfiguration, parseConfiguration } from '../src/configuration/page-configuration.ts';

// For specs that render a step into a document (`@vitest-environment happy-dom`); pages never load this.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

beforeEach(() => sessionStorage.clear());

afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** A call that reached the API. */
export interface SeenCall {
  /** Such as 'GET /stats'. */
  readonly call: string;
  readonly url: string;
  readonly headers: Headers;
  /** Parsed; undefined without a body. */
  readonly body: unknown;
  readonly signal: AbortSignal | undefined;
}

/** An answer of the API: the body of a success, a whole response, or a function that returns either later. */
export type Answer = object | Response | (() => object | Promise<object>);

/** The page's real client, with a table of answers by method and path in place of the API. It answers other calls with 404. */
export function apiAnswering(answers: Readonly<Record<string, Answer>>): {
  readonly api: ApiClient;
  /** The `fetch` that the client calls. */
  readonly fetch: typeof fetch;
  readonly seen: SeenCall[];
} {
  const seen: SeenCall[] = [];
  const fetch = async (input: string | URL | Request, init?: RequestInit) => {
    const url = String(input);
    const call = `${init?.method ?? 'GET'} ${new URL(url).pathname}`;
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : undefined;
    seen.push({ call, url, headers: new Headers(init?.headers), body, signal: init?.signal ?? undefined });
    const given = answers[call] ?? errorAnswer(404, { error: 'Not Found', message: '' });
    const answer = typeof given === 'function' ? await given() : given;
    return answer instanceof Response ? answer : new Response(JSON.stringify(answer));
  };
  return { api: new ApiClient({ baseUrl: 'http://api.test', apiKey: 'the-key', fetch }), fetch, seen };
}

/** An answer with an error status. */
export function errorAnswer(status: number, body: unknown): Response {
  return new Response(JSON.stringify(body), { status });
}

/** The configuration of a step under test. */
export function testConfiguration(file: object = {}): PageConfiguration {
  return parseConfiguration({ apiBaseUrl: 'http://api.test', apiKey: 'the-key', ...file });
}
