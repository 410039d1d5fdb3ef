import { readOptions, UsageError } from './options.ts';
import { NotCheckedError, verifyFile } from './verify-file.ts';

const NOT_CHECKED = 2;
const PROGRESS_EVERY = 100;

try {
  const { code, text } = await verifyFile(readOptions(process.argv.slice(2)), (read, all, what) => {
    if (read % PROGRESS_EVERY === 0) console.error(`… ${read} of ${all} ${what} read`);
  });
  process.stdout.write(text);
  process.exitCode = code;
} catch (error) {
  if (error instanceof UsageError || error instanceof NotCheckedError) console.error(`✗ ${error.message}`);
  else console.error(error);
  process.exitCode = NOT_CHECKED;
}
