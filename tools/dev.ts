import { type RunningStack, runUntilStopped } from '@maker/local-stack';
import { runCommand } from '@maker/local-stack/command';
import { buildApps } from './build-workspace.ts';
import { STACK_APPS } from './stack-apps.ts';
import { watchSources } from './watch-builds.ts';

/** Restarts services after each build, one build after the other. A service that fails to start waits for the next build. */
function restartOnBuild(running: RunningStack, signal: AbortSignal): void {
  let queue: Promise<void> = Promise.resolve();
  watchSources(signal, (services) => {
    queue = queue.then(async () => {
      // A stack may lack some services.
      const there = services.filter((service) => running.stack.replicas[service].length > 0);
      const outcomes = there.map(async (service) => {
        if (signal.aborted) return;
        try {
          await running.restart(service);
          console.log(`✓ ${service} runs its new build`);
        } catch (error) {
          if (!signal.aborted) console.error(`✗ ${error instanceof Error ? error.message : error}`);
        }
      });
      await Promise.all(outcomes);
    });
  });
}

await runCommand((context) =>
  runUntilStopped({
    ...context,
    build: (stopped) => buildApps(stopped, STACK_APPS),
    watchSite: true,
    program: 'modules',
    whenReady(running) {
      restartOnBuild(running, context.signal);
      console.log('Watching the sources: after a change, services restart and pages reload and keep their place.\n');
    },
  }),
);
