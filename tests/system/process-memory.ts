import { open, readdir, readFile, readlink } from 'node:fs/promises';
import { findNeedles, type Needle } from './canary-needles.ts';

const CHUNK_BYTES = 8 * 1024 * 1024;

/**
 * Searches the memory of a running process: everything that a core file could contain, with any settings.
 * Skips files that are mapped read-only, such as programs, as core files do.
 * @returns names of the needles that were found
 */
export async function searchMemory(pid: number, needles: readonly Needle[]): Promise<string[]> {
  const overlap = Math.max(...needles.map(({ bytes }) => bytes.length));
  const maps = await readFile(`/proc/${pid}/maps`, 'utf8');
  const memory = await open(`/proc/${pid}/mem`, 'r');
  const found = new Set<string>();
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES + overlap);
  try {
    for (const { from, to } of regions(maps)) {
      for (let at = from; at < to; at += CHUNK_BYTES) {
        const length = Math.min(CHUNK_BYTES + overlap, to - at);
        // The process may free a region during the read.
        const { bytesRead } = await memory.read(chunk, 0, length, at).catch(() => ({ bytesRead: 0 }));
        for (const name of findNeedles(chunk.subarray(0, bytesRead), needles)) found.add(name);
      }
    }
  } finally {
    await memory.close();
  }
  return [...found];
}

function regions(maps: string): { from: number; to: number }[] {
  return maps.split('\n').flatMap((line) => {
    const [, from, to, access, inode, path] = /^([0-9a-f]+)-([0-9a-f]+) (\S{4}) \S+ \S+ (\d+)\s*(.*)$/.exec(line) ?? [];
    const isReadable = access?.startsWith('r') && !path?.startsWith('[v');
    const isOnlyMapped = inode !== '0' && !access?.includes('w');
    return from && to && isReadable && !isOnlyMapped
      ? [{ from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) }]
      : [];
  });
}

/** Environment, command and open files of a process, as any process of the same user can read them. */
export async function describeProcess(pid: number): Promise<{ environment: string; command: string; files: string[] }> {
  const descriptors = await readdir(`/proc/${pid}/fd`);
  const files = await Promise.all(descriptors.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  return {
    environment: await readFile(`/proc/${pid}/environ`, 'utf8'),
    command: await readFile(`/proc/${pid}/cmdline`, 'utf8'),
    files,
  };
}
