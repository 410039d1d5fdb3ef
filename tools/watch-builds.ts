import { watch } from 'node:fs';
import { join } from 'node:path';
import { ALL_SERVICES, REMOTES, type ServiceName, WORKSPACE_ROOT } from '@maker/local-stack';
import { packagedProgram, runTool } from './tool.ts';

/** Libraries that services are built from: a change in one of them concerns every service. */
const SERVICE_LIBRARIES = ['rules', 'contracts', 'chain', 'signing', 'service-kit', 'persistence', 'messaging'];
/** A build writes many files; it is over when none was written for this long. */
const QUIET_MS = 500;

/** Rebuilds services and page whenever a source changes, until the signal is aborted. */
export function watchSources(signal: AbortSignal): void {
  const services = ALL_SERVICES.map((service) => join('apps', service));
  void runTool(packagedProgram('tsc'), ['-b', '--watch', '--preserveWatchOutput', ...services], {
    signal,
    output: 'show',
  });
  watchPages(signal);
}

/** Rebuilds the browser's apps alone. */
export function watchPages(signal: AbortSignal): void {
  for (const app of ['shell', ...REMOTES, 'verify-page']) {
    void runTool(packagedProgram('rspack'), ['build', '--watch'], {
      signal,
      output: 'show',
      directory: join(WORKSPACE_ROOT, 'apps', app),
      environment: { NODE_ENV: 'development' },
    });
  }
}

/** Tells which services have a new build, once it is complete. */
export function onServiceBuilt(signal: AbortSignal, built: (services: ServiceName[]) => void): void {
  const changed = new Set<ServiceName>();
  let timer: NodeJS.Timeout | undefined;
  const note = (services: readonly ServiceName[]) => (_event: string, file: string | null) => {
    if (!file?.endsWith('.js')) return;
    for (const service of services) changed.add(service);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const concerned = [...changed];
      changed.clear();
      built(concerned);
    }, QUIET_MS);
  };
  const options = { recursive: true, signal } as const;
  for (const service of ALL_SERVICES) watch(join(WORKSPACE_ROOT, 'apps', service, 'dist'), options, note([service]));
  for (const library of SERVICE_LIBRARIES) {
    watch(join(WORKSPACE_ROOT, 'libs', library, 'dist'), options, note(ALL_SERVICES));
  }
}
