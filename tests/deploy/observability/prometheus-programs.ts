import { execFileSync } from 'node:child_process';

/** Prometheus' own tool for rules. */
export const PROMTOOL = program('promtool', 'PROMTOOL');

/** The server. */
export const PROMETHEUS = program('prometheus', 'PROMETHEUS');

/** @throws with how to install it */
function program(name: string, variable: string): string {
  const path = process.env[variable] ?? name;
  try {
    execFileSync(path, ['--version'], { stdio: 'ignore' });
  } catch {
    throw new Error(
      `${name} is missing. On Debian: apt-get install --no-install-recommends prometheus; or name it in ${variable}.`,
    );
  }
  return path;
}
