import { BuildFailedError, seconds } from '@maker/local-stack/command';
import { packagedProgram, runTool } from './tool.ts';

/** Environment that makes Nx a plain program: without a daemon and without a terminal interface. */
export const NX_ENVIRONMENT = {
  NX_DAEMON: 'false',
  NX_NO_CLOUD: 'true',
  NX_ISOLATE_PLUGINS: 'false',
  NX_TUI: 'false',
} as const;

/**
 * Runs targets through Nx, which takes unchanged results from its cache. Prints the output only of a failure.
 * @param projects Nx's names or globs; default: all @param atOnce number of parallel tasks; default: nx.json's
 */
export async function runInWorkspace(
  signal: AbortSignal,
  targets: readonly string[],
  { projects, atOnce }: { projects?: readonly string[]; atOnce?: number } = {},
): Promise<{ code: number; milliseconds: number }> {
  const began = performance.now();
  const { code, output } = await runTool(
    packagedProgram('nx'),
    [
      'run-many',
      ...['-t', ...targets, '--outputStyle=static'],
      ...(projects ? [`--projects=${projects.join(',')}`] : []),
      ...(atOnce ? [`--parallel=${atOnce}`] : []),
    ],
    { signal, output: 'capture', environment: NX_ENVIRONMENT },
  );
  if (code !== 0 && !signal.aborted) process.stderr.write(failedOutput(output));
  return { code, milliseconds: performance.now() - began };
}

/** The part of Nx's output about failed tasks; all of it if the parts cannot be identified. */
function failedOutput(output: string): string {
  const failed = [...(output.split('Failed tasks:')[1] ?? '').matchAll(/^- (\S+)$/gm)].map(([, task]) => task);
  const sections = output.split(/^> nx run /m).slice(1);
  const chosen = sections.filter((section) => failed.some((task) => section.startsWith(`${task}`)));
  return chosen.length > 0
    ? chosen.map((section) => `> ${section.split(/\n NX /)[0]?.trimEnd()}\n`).join('\n')
    : output;
}

/** Builds the apps with their libraries and prints the progress. @param apps folders; default: all @throws BuildFailedError */
export async function buildApps(signal: AbortSignal, apps: readonly string[] = ['apps/*']): Promise<void> {
  console.log('… building');
  const { code, milliseconds } = await runInWorkspace(signal, ['build'], { projects: apps });
  if (signal.aborted) return;
  if (code !== 0) throw new BuildFailedError();
  console.log(`✓ built (${seconds(milliseconds)})`);
}
