// Beside the container of an image that may not come: ends with it, and says which one did not come when the time is over.
import { existsSync } from 'node:fs';

const { IMAGE, STARTED_FILE, SECONDS, EXPLAIN } = process.env;
const LOOK_MS = 100;

process.once('SIGTERM', () => {
  console.log(`${IMAGE} did not start within ${SECONDS} s. Why: ${EXPLAIN}`);
  process.exit(1);
});

setInterval(() => {
  if (existsSync(STARTED_FILE)) process.exit(0);
}, LOOK_MS);
