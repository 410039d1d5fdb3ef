import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');

/** Paths of the files that Stryker puts faults into, in the order of its configuration. */
export function mutatedFiles(): readonly string[] {
  const { mutate } = JSON.parse(readFileSync(join(import.meta.dirname, 'stryker.config.json'), 'utf8')) as {
    mutate: readonly string[];
  };
  const exclude = mutate.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1));
  return mutate
    .filter((pattern) => !pattern.startsWith('!'))
    .flatMap((pattern) => globSync(pattern, { cwd: ROOT, exclude }).sort());
}
