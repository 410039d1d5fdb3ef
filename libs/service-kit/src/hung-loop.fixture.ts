import { createLogger } from './logger.ts';
import { PeriodicTask } from './periodic-task.ts';
import { exitWhenLoopsStand } from './shutdown.ts';
import { watchdog } from './watchdog.ts';

/** A process with one loop. Argument: `hangs` (its work never ends) or `fails` (each round fails; it ends after 50). */
const [kind] = process.argv.slice(2);
const logger = createLogger('hung-loop', 'fatal');
let rounds = 0;

const task = new PeriodicTask('tested loop', 10, logger, async () => {
  rounds += 1;
  if (kind === 'hangs') await new Promise(() => undefined);
  if (rounds === 50) process.exit(0);
  throw new Error('the RPC endpoints do not answer');
});
watchdog.standsAfterMs = 200;
exitWhenLoopsStand(logger, 20);
task.start();
// A process with work to do: only the watchdog may end it.
setInterval(() => undefined, 1000);
