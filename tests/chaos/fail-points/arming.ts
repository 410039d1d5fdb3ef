import { readFileSync, rmSync, truncateSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ServiceName } from '@maker/local-stack';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { type ArmedFailPoint, failPointFiles, writeArmed } from './fail-point.ts';

const PRELOAD = pathToFileURL(join(WORKSPACE_ROOT, 'tests', 'chaos', 'fail-points', 'preload.ts')).href;

/** A death at a fail point, as the process recorded it before. */
export interface DeathAtFailPoint extends ArmedFailPoint {
  readonly pid: number;
}

/** Controls fail points from outside: arms services, and reads where they died. */
export class Arming {
  private nextId = 1;

  private constructor(private readonly directory: string) {}

  /** @param directory for the files that services read and write */
  static async in(directory: string): Promise<Arming> {
    await mkdir(directory, { recursive: true });
    return new Arming(directory);
  }

  /** Environment variables that enable a service's fail points. */
  environment(service: ServiceName): Record<string, string> {
    return {
      NODE_OPTIONS: `--import=${PRELOAD}`,
      FAIL_POINT_DIRECTORY: this.directory,
      FAIL_POINT_SERVICE: service,
    };
  }

  /** Makes a service die once at each of some fail points, in any order. */
  arm(service: ServiceName, points: readonly Omit<ArmedFailPoint, 'id'>[]): readonly ArmedFailPoint[] {
    const armed = points.map((point) => ({ id: this.nextId++, ...point }));
    writeArmed(failPointFiles(this.directory, service).armed, armed);
    return armed;
  }

  disarm(service: ServiceName): void {
    rmSync(failPointFiles(this.directory, service).armed, { force: true });
  }

  /** Deaths of a service at fail points, in their order. */
  deaths(service: ServiceName): readonly DeathAtFailPoint[] {
    return lines(failPointFiles(this.directory, service).died).map((line) => JSON.parse(line));
  }

  /** How often a service passed each fail point since the last call. */
  takePassed(service: ServiceName): ReadonlyMap<string, number> {
    const { passed } = failPointFiles(this.directory, service);
    const counts = new Map<string, number>();
    for (const point of lines(passed)) counts.set(point, (counts.get(point) ?? 0) + 1);
    if (counts.size > 0) truncateSync(passed);
    return counts;
  }
}

function lines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
