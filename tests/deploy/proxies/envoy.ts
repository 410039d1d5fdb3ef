import { stringify } from 'yaml';
import type { KubernetesObject } from '../chart.ts';
import { findEnvoy } from './proxy-programs.ts';
import { type RunningProxy, startProxy } from './running-proxy.ts';

const CLUSTER = 'api-gateway';

interface RouteRule {
  readonly matches: readonly {
    readonly path: { readonly type: 'PathPrefix'; readonly value: string };
    readonly headers?: readonly { readonly name: string; readonly value: string }[];
  }[];
  readonly timeouts?: { readonly request?: string };
}

/**
 * Envoy in front of an upstream, with the rules of an HTTPRoute as a Gateway sets them. Envoy's defaults apply otherwise: it cuts a
 * response after 15 seconds, and a stream without a byte after five minutes.
 * @param upstreamPort on this machine
 */
export function startEnvoy(route: KubernetesObject, upstreamPort: number): Promise<RunningProxy> {
  const rules: readonly RouteRule[] = route.spec.rules;
  return startProxy({
    program: findEnvoy,
    configuration: (_folder, port) => stringify(bootstrap(rules, port, upstreamPort)),
    args: (_folder, file) => [
      '--config-path',
      file,
      '--concurrency',
      '1',
      '--disable-hot-restart',
      '--log-level',
      'warning',
    ],
  });
}

function bootstrap(rules: readonly RouteRule[], port: number, upstreamPort: number): object {
  return {
    static_resources: {
      listeners: [
        {
          name: 'http',
          address: addressOf(port),
          filter_chains: [{ filters: [{ name: 'http', typed_config: connectionManager(rules) }] }],
        },
      ],
      clusters: [
        {
          name: CLUSTER,
          type: 'STATIC',
          load_assignment: {
            cluster_name: CLUSTER,
            endpoints: [{ lb_endpoints: [{ endpoint: { address: addressOf(upstreamPort) } }] }],
          },
        },
      ],
    },
  };
}

function connectionManager(rules: readonly RouteRule[]): object {
  return {
    '@type': 'type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager',
    stat_prefix: 'http',
    route_config: { virtual_hosts: [{ name: 'api', domains: ['*'], routes: rules.flatMap(routesOf) }] },
    http_filters: [
      {
        name: 'router',
        typed_config: { '@type': 'type.googleapis.com/envoy.extensions.filters.http.router.v3.Router' },
      },
    ],
  };
}

function routesOf({ matches, timeouts }: RouteRule): object[] {
  return matches.map(({ path: { value }, headers = [] }) => ({
    match: {
      ...(value === '/' ? { prefix: value } : { path_separated_prefix: value }),
      headers: headers.map(({ name, value: exact }) => ({ name: name.toLowerCase(), string_match: { exact } })),
    },
    // Without a timeout in the rule, Envoy's default applies.
    route: { cluster: CLUSTER, ...(timeouts?.request ? { timeout: timeouts.request } : {}) },
  }));
}

function addressOf(port: number): object {
  return { socket_address: { address: '127.0.0.1', port_value: port } };
}
