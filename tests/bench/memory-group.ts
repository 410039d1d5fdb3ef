import { access, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Linux's control groups for memory (version 1). */
const GROUPS = '/sys/fs/cgroup/memory';

/** Memory limit of a service in the chart, MiB. */
export const LIMIT_MIB = 512;

/** Processes with the memory limit of a container in the chart. */
export class MemoryGroup {
  private readonly folder: string;
  private readonly before: string;

  private constructor(folder: string, before: string) {
    this.folder = folder;
    this.before = before;
  }

  /** @returns undefined if this machine does not allow it */
  static async create(name: string): Promise<MemoryGroup | undefined> {
    const folder = join(GROUPS, name);
    try {
      await access(join(GROUPS, 'cgroup.procs'));
      await mkdir(folder);
      await writeFile(join(folder, 'memory.limit_in_bytes'), String(LIMIT_MIB * 2 ** 20));
      const own = /^\d+:memory:(.*)$/m.exec(await readFile('/proc/self/cgroup', 'utf8'))?.[1] ?? '/';
      return new MemoryGroup(folder, join(GROUPS, own));
    } catch {
      return undefined;
    }
  }

  /** Runs a start whose processes, with their children, belong to the group. */
  async around<Result>(start: () => Promise<Result>): Promise<Result> {
    await writeFile(join(this.folder, 'cgroup.procs'), String(process.pid));
    try {
      return await start();
    } finally {
      await writeFile(join(this.before, 'cgroup.procs'), String(process.pid));
    }
  }

  /** How often the limit was reached, in words. */
  async limitReport(): Promise<string> {
    const met = Number(await readFile(join(this.folder, 'memory.failcnt'), 'utf8'));
    return `in a group of ${LIMIT_MIB} MiB, whose limit it met ${met} times`;
  }

  /** Removes the group after its processes have ended. */
  async remove(): Promise<void> {
    await rmdir(this.folder);
  }
}
