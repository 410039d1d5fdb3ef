import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findTool } from '../go-tool.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { buildTrees } from './build-trees.ts';
import { checkOut, type Sources } from './check-out.ts';
import { makeChart, type ReleasedChart } from './make-chart.ts';
import { makeImages, type ReleasedImage } from './make-images.ts';
import { findProvenance, type Provenance, statementOf } from './provenance.ts';
import { changelog, releaseNotes } from './release-notes.ts';
import type { RunStep } from './run-step.ts';

/** Default base image. */
export const DEFAULT_BASE = 'gcr.io/distroless/cc-debian12:latest';

/** Content and target of a release. */
export interface ReleaseOrder {
  /** A commit, by any name that git has for it. */
  readonly revision: string;
  /** Registry and path before the images' names; the chart is in `charts` below it. */
  readonly repository: string;
  /** Whether the registry uses plain HTTP, like the local one. */
  readonly isPlain: boolean;
  /** Base image; undefined: this machine's libraries. */
  readonly base: string | undefined;
  /** URI of the builder, for the provenance. */
  readonly builder: string;
  /** Output folder; its old content is deleted. */
  readonly folder: string;
}

/** A finished release. */
export interface Release {
  readonly version: string;
  readonly commit: string;
  readonly chart: ReleasedChart;
  readonly images: readonly ReleasedImage[];
}

/** The same path on every machine: rspack derives module ids of remotes from their paths. */
const WORK_FOLDER = '/tmp/hyperevm-maker-bot-release';

/** @throws Error if another release is running */
async function takeWorkFolder(): Promise<string> {
  try {
    await mkdir(WORK_FOLDER);
    return WORK_FOLDER;
  } catch (cause) {
    throw new Error(
      `${WORK_FOLDER} exists: another release is running, or was interrupted; in that case remove the folder`,
      {
        cause,
      },
    );
  }
}

/** Makes a release from a commit without signatures, and pushes images and chart. */
export async function makeRelease(run: RunStep, order: ReleaseOrder, report: (line: string) => void): Promise<Release> {
  const work = await takeWorkFolder();
  try {
    const [crane, helm] = await Promise.all([findTool('crane'), findTool('helm')]);
    await rm(order.folder, { recursive: true, force: true });
    await mkdir(order.folder, { recursive: true });
    const sources = await checkOut(run, order.revision, join(work, 'sources'));
    report(`version ${sources.version} of ${sources.commit}`);
    const trees = await buildTrees(run, sources.folder, join(work, 'trees'));
    report('built');
    const { repository, base, isPlain, folder } = order;
    const images = await makeImages(run, { crane, repository, base, workFolder: work }, sources, trees);
    report(`${images.length} images`);
    for (const tree of trees) {
      await writeFile(join(folder, `${tree.component}.cdx.json`), await billOfMaterials(tree, sources));
    }
    report(`${trees.length} bills of materials`);
    const chartPlace = { helm, repository: `${repository}/charts`, folder: work, isPlain };
    const chart = await makeChart(run, chartPlace, sources);
    report('the chart');
    const release = { version: sources.version, commit: sources.commit, chart, images };
    const references = images.map(({ reference }) => reference);
    await run(crane, ['pull', '--format', 'oci', '--annotate-ref', ...references, join(folder, 'images')]);
    const provenance = await findProvenance(run, sources, { builder: order.builder, base, crane });
    await writeProvenance(provenance, release, folder);
    await writeFiles(run, release, sources, folder);
    report('provenance and notes');
    return release;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Writes the provenance of the release, and a statement with it for each image and for the chart. */
async function writeProvenance(provenance: Provenance, { chart, images }: Release, folder: string): Promise<void> {
  const ofImages = images.map(({ component, digest }) => ({ name: component, digest }));
  for (const artefact of [...ofImages, { name: 'chart', digest: chart.digest }]) {
    const statement = `${JSON.stringify(statementOf(artefact, provenance), null, 2)}\n`;
    await writeFile(join(folder, `${artefact.name}.intoto.json`), statement);
  }
  await writeFile(join(folder, 'provenance.json'), `${JSON.stringify(provenance, null, 2)}\n`);
}

async function writeFiles(run: RunStep, release: Release, sources: Sources, folder: string): Promise<void> {
  const { chart, images } = release;
  await run('cp', ['--preserve=timestamps', chart.archive, folder]);
  await writeFile(join(folder, 'images.txt'), images.map(({ reference }) => `${reference}\n`).join(''));
  await writeFile(join(folder, 'chart.txt'), `${chart.url.replace('oci://', '')}@${chart.digest}\n`);
  await writeFile(join(folder, 'values-digests.yaml'), digestValues(images));
  await writeFile(join(folder, 'notes.md'), await releaseNotes(run, sources));
  await writeFile(join(folder, 'CHANGELOG.md'), await changelog(run, sources.commit, sources.version));
}

/** Values that pin every image by its digest, because a tag may move. */
function digestValues(images: readonly ReleasedImage[]): string {
  const camelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return images
    .map(({ component, digest }) => `${camelCase(component)}: { image: { digest: "${digest}" } }\n`)
    .join('');
}
