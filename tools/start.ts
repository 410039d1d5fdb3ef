import { runUntilStopped } from '@maker/local-stack';
import { runCommand } from '@maker/local-stack/command';
import { buildApps } from './build-workspace.ts';
import { STACK_APPS } from './stack-apps.ts';

await runCommand((context) => runUntilStopped({ ...context, build: (stopped) => buildApps(stopped, STACK_APPS) }));
