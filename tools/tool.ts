import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { forget, reapOnDeath, WORKSPACE_ROOT } from '@maker/local-stack/command';

const STOP_GRACE_MS = 10_000;

/** Options of a tool's run. */
export interface ToolOptions {
  signal: AbortSignal;
  /** Working directory; default: the workspace. */
  directory?: string;
  /** Added to this process's environment. */
  environment?: Record<string, string>;
  /** `show` writes straight to the terminal; `capture` keeps the output for the caller. */
  output: 'show' | 'capture';
}

/** Path of a program from an npm package. @param folder whose lockfile names the package; default: the workspace's */
export function packagedProgram(name: string, folder = ''): string {
  return join(WORKSPACE_ROOT, folder, 'node_modules', '.bin', name);
}

/** The formatter and linter. */
export const BIOME = packagedProgram('biome', 'tools/linters');

/**
 * Runs a development tool in the workspace and ends all of its processes afterwards.
 * @returns its output if captured, and its exit code: 130 when it was stopped
 */
export function runTool(
  command: string,
  args: readonly string[],
  options: ToolOptions,
): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    if (options.signal.aborted) return resolve({ code: 130, output: '' });
    const show = options.output === 'show';
    const child = spawn(command, args, {
      cwd: options.directory ?? WORKSPACE_ROOT,
      env: { ...process.env, ...options.environment },
      stdio: ['ignore', show ? 'inherit' : 'pipe', show ? 'inherit' : 'pipe'],
      detached: true,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (data: Buffer) => {
        output += data.toString();
      });
    }

    const signalGroup = (name: NodeJS.Signals): void => {
      try {
        if (child.pid) process.kill(-child.pid, name);
      } catch {
        // The whole group has ended.
      }
    };
    let killer: NodeJS.Timeout | undefined;
    const stop = (): void => {
      signalGroup('SIGTERM');
      killer = setTimeout(() => signalGroup('SIGKILL'), STOP_GRACE_MS);
    };
    options.signal.addEventListener('abort', stop, { once: true });
    if (child.pid) reapOnDeath(child.pid);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(killer);
      options.signal.removeEventListener('abort', stop);
      // Workers that a tool leaves behind keep its pipes open and would outlive the command.
      signalGroup('SIGKILL');
      if (child.pid) forget(child.pid);
      const finish = (): void => resolve({ code: options.signal.aborted ? 130 : (code ?? 1), output });
      if (show) finish();
      else child.once('close', finish);
    });
  });
}
