/** `npm run changelog` prints the changes of every release and of the next one, from the commits' subjects. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand, WORKSPACE_ROOT } from '@maker/local-stack/command';
import { changelog } from './release-notes.ts';
import { stepsUntil } from './run-step.ts';

await runCommand(async ({ signal }) => {
  const { version } = JSON.parse(await readFile(join(WORKSPACE_ROOT, 'package.json'), 'utf8')) as { version: string };
  console.log(await changelog(stepsUntil(signal), 'HEAD', version));
  return 0;
});
