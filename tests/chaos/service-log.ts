import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunningStack, ServiceName } from '@maker/local-stack';

/** A line of a service's log. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly msg?: string };

/** Lines that one replica has written so far. */
export async function logOf(
  { directory }: RunningStack,
  service: ServiceName,
  replica: number,
): Promise<readonly LogLine[]> {
  const name = replica === 0 ? service : `${service}-${replica + 1}`;
  const text = await readFile(join(directory, 'logs', `${name}.log`), 'utf8');
  // The last line may be incomplete.
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  return lines.flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as LogLine] : []));
}

/** Lines whose message begins with a text. */
export function saying(lines: readonly LogLine[], message: string): readonly LogLine[] {
  return lines.filter(({ msg }) => msg?.startsWith(message));
}

/** The replica of maker-executor that took a job with a fencing token; undefined if none did. */
export async function executorOf(running: RunningStack, jobId: string, token: number): Promise<number | undefined> {
  const replicas = running.stack.replicas['maker-executor'];
  for (const replica of replicas.keys()) {
    const taken = saying(await logOf(running, 'maker-executor', replica), 'execution claimed');
    if (taken.some((line) => line.jobId === jobId && line.token === token)) return replica;
  }
  return undefined;
}
