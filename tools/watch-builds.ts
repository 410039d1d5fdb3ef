import { watch } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ALL_SERVICES, type ServiceName } from '@maker/local-stack';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { PAGES } from './stack-apps.ts';
import { packagedProgram, runTool } from './tool.ts';

/** Libraries of the services: a change in one of them affects every service. */
const SERVICE_LIBRARIES = ['rules', 'contracts', 'chain', 'signing', 'service-kit', 'persistence', 'messaging'];
/** Pause before a build: an editor may save by several writes, which one build should cover. */
const TOGETHER_MS = 50;

/**
 * Rebuilds services and pages whenever a source changes, until the signal aborts. After it returns, it misses no change.
 * @param built services whose new build is complete
 */
export function watchSources(signal: AbortSignal, built: (services: readonly ServiceName[]) => void): void {
  const changed = new Set<ServiceName>();
  let building = false;
  const build = async (): Promise<void> => {
    if (building) return;
    building = true;
    while (changed.size > 0 && !signal.aborted) {
      await wait(TOGETHER_MS);
      const services = [...changed];
      changed.clear();
      const folders = services.map((name) => join('apps', name));
      // Like a build: checking types that no check has read yet would take half a minute.
      const { code } = await runTool(packagedProgram('tsc'), ['-b', '--noCheck', ...folders], {
        signal,
        output: 'show',
      });
      if (code === 0) built(services);
    }
    building = false;
  };
  const note = (services: readonly ServiceName[]) => (_event: string, file: string | null) => {
    if (!file?.endsWith('.ts') || file.endsWith('.spec.ts')) return;
    for (const service of services) changed.add(service);
    void build();
  };
  const options = { recursive: true, signal } as const;
  for (const service of ALL_SERVICES) watch(join(WORKSPACE_ROOT, 'apps', service, 'src'), options, note([service]));
  for (const library of SERVICE_LIBRARIES) {
    watch(join(WORKSPACE_ROOT, 'libs', library, 'src'), options, note(ALL_SERVICES));
  }
  watchPages(signal);
}

/** Rebuilds only the browser's apps. */
export function watchPages(signal: AbortSignal): void {
  for (const page of PAGES) {
    void runTool(packagedProgram('rspack'), ['build', '--watch'], {
      signal,
      output: 'show',
      directory: join(WORKSPACE_ROOT, page),
      environment: { NODE_ENV: 'development' },
    });
  }
}
