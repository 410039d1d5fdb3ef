import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';

const PROGRAM = /^```\w+ \[(?<name>[\w.]+)\]\n(?<text>.*?)^```$/gms;

/** Programs of `docs/integrate/quickstart.md` as printed, by the file name behind their fence. */
export async function quickstartPrograms(): Promise<ReadonlyMap<string, string>> {
  const page = await readFile(join(WORKSPACE_ROOT, 'docs', 'integrate', 'quickstart.md'), 'utf8');
  return new Map([...page.matchAll(PROGRAM)].map(({ groups }) => [groups?.name ?? '', groups?.text ?? '']));
}
