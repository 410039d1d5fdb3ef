import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { openPromise } from 'yauzl';

/**
 * Writes the one entry of a zip archive whose name ends in `suffix` to `target`, as an executable.
 * @throws Error when there is no such entry
 */
export async function extractEntry(archive: string, suffix: string, target: string): Promise<void> {
  const zip = await openPromise(archive, { lazyEntries: true });
  try {
    for await (const entry of zip.eachEntry()) {
      if (!entry.fileName.endsWith(suffix)) continue;
      await pipeline(await zip.openReadStreamPromise(entry), createWriteStream(target, { mode: 0o755 }));
      return;
    }
    throw new Error(`${archive} holds no ${suffix}`);
  } finally {
    zip.close();
  }
}
