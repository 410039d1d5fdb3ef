import { once } from 'node:events';
import { UsageError } from '../errors.ts';
import { OperatorApi } from '../ops/operator-api.ts';
import { OPS_USAGE, operatorCommand } from '../ops/operator-commands.ts';
import { runCommand } from './command.ts';

await runCommand(async ({ args }) => {
  // How it is called is told without any API.
  if (args.length === 0) throw new UsageError(OPS_USAGE);
  for await (const text of operatorCommand(await OperatorApi.ofEnvironment(), args)) {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  }
  return 0;
});
