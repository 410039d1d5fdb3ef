import type { Endpoint } from './endpoint.ts';
import { OPERATOR_ENDPOINTS } from './operator-endpoints.ts';
import { VISITOR_ENDPOINTS } from './visitor-endpoints.ts';

/** Every operation of the API, by its name. A spec compares them with the routes of the server. */
export const ENDPOINTS = { ...VISITOR_ENDPOINTS, ...OPERATOR_ENDPOINTS };
type Endpoints = typeof ENDPOINTS;

/** Name of an endpoint: its `operationId`. */
export type EndpointName = keyof Endpoints;

type Filled<Path extends string> = Path extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${Filled<After>}`
  : Path;

type PathOf<Method> = Filled<Extract<Endpoints[EndpointName], { method: Method }>['path']>;

/** A path of the API with its parameters filled in, with or without a query. */
export type EndpointPath<Method extends Endpoint['method']> = PathOf<Method> | `${PathOf<Method>}?${string}`;
