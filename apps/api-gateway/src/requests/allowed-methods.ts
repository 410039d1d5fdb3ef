import { ENDPOINTS, type Endpoint } from '@maker/contracts';

const ROUTES = Object.values<Endpoint>(ENDPOINTS);
const PATHS = [...new Set(ROUTES.map(({ path }) => path))].map((path) => ({
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  methods: ROUTES.filter((route) => route.path === path).flatMap(methodsOf),
}));

/** Methods of a path; undefined if the API has no such path. @param path without its query */
export function allowedMethods(path: string): readonly string[] | undefined {
  return PATHS.find(({ pattern }) => pattern.test(path))?.methods;
}

/** Methods of an endpoint. A stream has no HEAD, because its answer does not end. */
function methodsOf({ method, success }: Endpoint): string[] {
  const isStream = success.mediaType === 'text/event-stream';
  return method === 'GET' && !isStream ? ['GET', 'HEAD'] : [method];
}
