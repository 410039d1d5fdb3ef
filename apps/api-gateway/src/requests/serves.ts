import { closed, ENDPOINTS, type Endpoint, type EndpointName } from '@maker/contracts';
import { applyDecorators, Body, Get, HttpCode, Post, Query } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { z } from 'zod';
import { Public } from '../access/access.decorators.ts';
import { routeTemplate } from '../route-template.ts';
import { STREAM } from './request-hooks.ts';

type Having<Part extends 'body' | 'query'> = {
  [Name in EndpointName]: (typeof ENDPOINTS)[Name] extends Record<Part, z.ZodType> ? Name : never;
}[EndpointName];

/** Maps a handler to an endpoint: its path, method and success status. */
export function Serves(name: EndpointName): MethodDecorator {
  const { method, path, isPublic, success }: Endpoint = ENDPOINTS[name];
  const route = routeTemplate(path);
  if (success.mediaType === 'text/event-stream') return applyDecorators(Get(route), RouteConfig(STREAM));
  const served = [method === 'GET' ? Get(route) : Post(route), HttpCode(success.status)];
  return applyDecorators(...served, ...(isPublic ? [Public()] : []));
}

/** The body of a request, validated by the closed schema of its endpoint. */
export const BodyOf = (name: Having<'body'>) => Body({ schema: closed(ENDPOINTS[name].body) });

/** The query of a request, validated by the closed schema of its endpoint. */
export const QueryOf = (name: Having<'query'>) => Query({ schema: closed(ENDPOINTS[name].query) });
