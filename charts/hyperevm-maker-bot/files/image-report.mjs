// Runs beside a container whose image may be missing. Ends with it, or names the image at the timeout.
import { existsSync } from 'node:fs';

const { IMAGE, STARTED_FILE, SECONDS, EXPLAIN } = process.env;
const POLL_MS = 100;

process.once('SIGTERM', () => {
  console.log(`${IMAGE} did not start within ${SECONDS} s. Why: ${EXPLAIN}`);
  process.exit(1);
});

setInterval(() => {
  if (existsSync(STARTED_FILE)) process.exit(0);
}, POLL_MS);
