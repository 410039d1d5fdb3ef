import { once } from 'node:events';
import { OperatorApi } from '../ops/operator-api.ts';
import { operatorCommand } from '../ops/operator-commands.ts';
import { runCommand } from './command.ts';

await runCommand(async ({ args }) => {
  for await (const text of operatorCommand(await OperatorApi.ofEnvironment(), args)) {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  }
  return 0;
});
