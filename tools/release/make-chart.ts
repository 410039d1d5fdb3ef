import { mkdir, rename, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { archive } from './archive.ts';
import type { Sources } from './check-out.ts';
import type { RunStep } from './run-step.ts';

const CHART = 'hyperevm-maker-bot';

/** Target of the chart, and the tool that pushes it. */
export interface ChartPlace {
  readonly helm: string;
  /** Registry and path before the chart's name. */
  readonly repository: string;
  /** Folder of the archive. */
  readonly folder: string;
  /** Whether the registry uses plain HTTP, like the local one. */
  readonly isPlain: boolean;
}

/** A pushed chart. */
export interface ReleasedChart {
  readonly archive: string;
  /** As `helm install` takes it. */
  readonly url: string;
  readonly version: string;
  readonly digest: string;
}

/** Packs the chart and pushes it. helm writes the current time into its archive, so this function repacks the files. */
export async function makeChart(run: RunStep, place: ChartPlace, sources: Sources): Promise<ReleasedChart> {
  const { helm, repository, folder, isPlain } = place;
  const { version, committedAt } = sources;
  await mkdir(folder, { recursive: true });
  const packed = join(folder, `${CHART}-${version}.tgz`);
  const unpacked = join(folder, 'chart');
  await mkdir(unpacked, { recursive: true });
  const versions = ['--version', version, '--app-version', version];
  await run(helm, ['package', join(sources.folder, 'charts', CHART), ...versions, '--destination', folder]);
  await run('tar', ['--extract', '--file', packed, '--directory', unpacked]);
  await archive(run, join(unpacked, CHART), `${packed}.tar.gz`, { time: committedAt, as: CHART });
  await rename(`${packed}.tar.gz`, packed);
  // helm push writes the file's time into the manifest, in the local time zone.
  await utimes(packed, committedAt, committedAt);
  const push = ['push', packed, `oci://${repository}`, ...(isPlain ? ['--plain-http'] : [])];
  const written = await run(helm, push, { environment: { TZ: 'UTC' } });
  const [, digest] = /Digest: (sha256:[0-9a-f]{64})/.exec(written) ?? [];
  if (!digest) throw new Error(`helm named no digest: ${written}`);
  return { archive: packed, url: `oci://${repository}/${CHART}`, version, digest };
}
