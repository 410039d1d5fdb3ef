import { ENDPOINTS, type Endpoint } from '@maker/contracts';

const ROUTES = Object.values<Endpoint>(ENDPOINTS);
const PATHS = [...new Set(ROUTES.map(({ path }) => path))].map((path) => ({
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  methods: ROUTES.filter((route) => route.path === path).flatMap(methodsOf),
}));

/** Methods of a path that the API has; undefined for a path that it has not. @param path without its query */
export function allowedMethods(path: string): readonly string[] | undefined {
  return PATHS.find(({ pattern }) => pattern.test(path))?.methods;
}

/** A stream has no end that HEAD could be answered at. */
function methodsOf({ method, success }: Endpoint): string[] {
  const isStream = success.mediaType === 'text/event-stream';
  return method === 'GET' && !isStream ? ['GET', 'HEAD'] : [method];
}
