import { once } from 'node:events';
import { UsageError } from '../errors.ts';
import { OperatorApi } from '../ops/operator-api.ts';
import { OPS_USAGE, operatorCommand } from '../ops/operator-commands.ts';
import { RECOVERY_USAGE, recoveryCommand } from '../recovery/recovery-commands.ts';
import { runCommand } from './command.ts';

await runCommand(async ({ args }) => {
  // How it is called is told without any API.
  if (args.length === 0) throw new UsageError(`${OPS_USAGE}\n\n${RECOVERY_USAGE}`);
  const [command, ...rest] = args;
  const output =
    command === 'recover'
      ? recoveryCommand(rest, (line) => console.error(line))
      : operatorCommand(await OperatorApi.ofEnvironment(), args);
  for await (const text of output) {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  }
  return 0;
});
