import { BuildFailedError, seconds } from '@maker/local-stack/command';
import { packagedProgram, runTool } from './tool.ts';

/** Nx as a plain program: no process of it stays, and it draws nothing. */
export const NX_ENVIRONMENT = {
  NX_DAEMON: 'false',
  NX_NO_CLOUD: 'true',
  NX_ISOLATE_PLUGINS: 'false',
  NX_TUI: 'false',
} as const;

/**
 * Runs targets through Nx, which takes from its cache what has not changed. Quiet unless it fails: then it shows the output.
 * @param projects Nx's names or globs; all unless told @param atOnce tasks; as nx.json says unless told
 */
export async function runInWorkspace(
  signal: AbortSignal,
  targets: readonly string[],
  { projects, atOnce }: { projects?: readonly string[]; atOnce?: number } = {},
): Promise<{ code: number; milliseconds: number }> {
  const began = Date.now();
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
  return { code, milliseconds: Date.now() - began };
}

/** The part of Nx's output that belongs to what failed; all of it when that cannot be told. */
function failedOutput(output: string): string {
  const failed = [...(output.split('Failed tasks:')[1] ?? '').matchAll(/^- (\S+)$/gm)].map(([, task]) => task);
  const sections = output.split(/^> nx run /m).slice(1);
  const chosen = sections.filter((section) => failed.some((task) => section.startsWith(`${task}`)));
  return chosen.length > 0
    ? chosen.map((section) => `> ${section.split(/\n NX /)[0]?.trimEnd()}\n`).join('\n')
    : output;
}

/** Builds the apps with the libraries that they stand on, telling how it goes. @param apps folders; all unless told @throws BuildFailedError */
export async function buildApps(signal: AbortSignal, apps: readonly string[] = ['apps/*']): Promise<void> {
  console.log('… building');
  const { code, milliseconds } = await runInWorkspace(signal, ['build'], { projects: apps });
  if (signal.aborted) return;
  if (code !== 0) throw new BuildFailedError();
  console.log(`✓ built (${seconds(milliseconds)})`);
}
