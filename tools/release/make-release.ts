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

/** What images stand on where nobody says otherwise. */
export const DEFAULT_BASE = 'gcr.io/distroless/cc-debian12';

/** What is released, and where to. */
export interface ReleaseOrder {
  /** A commit, by any name that git has for it. */
  readonly revision: string;
  /** Registry and path before the images' names; the chart is beside them, in `charts`. */
  readonly repository: string;
  /** The registry speaks HTTP: this machine's own. */
  readonly isPlain: boolean;
  /** The image that ours stand on; this machine's own libraries where it is undefined. */
  readonly base: string | undefined;
  /** URI of who builds, for the provenance. */
  readonly builder: string;
  /** Gets the files; what is in it is lost. */
  readonly folder: string;
}

/** What a release is. */
export interface Release {
  readonly version: string;
  readonly commit: string;
  readonly chart: ReleasedChart;
  readonly images: readonly ReleasedImage[];
}

/** Of every machine the same: rspack numbers modules of remotes by where they lie. */
const WORK_FOLDER = '/tmp/hyperevm-maker-bot-release';

/** @throws Error where another release is being made */
async function takeWorkFolder(): Promise<string> {
  try {
    await mkdir(WORK_FOLDER);
    return WORK_FOLDER;
  } catch (cause) {
    throw new Error(`${WORK_FOLDER} is there: another release is being made, or was broken off; then remove it`, {
      cause,
    });
  }
}

/** Makes everything a release is from a commit but its signatures, and pushes images and chart. */
export async function makeRelease(run: RunStep, order: ReleaseOrder, tell: (line: string) => void): Promise<Release> {
  const work = await takeWorkFolder();
  try {
    const [crane, helm] = await Promise.all([findTool('crane'), findTool('helm')]);
    await rm(order.folder, { recursive: true, force: true });
    await mkdir(order.folder, { recursive: true });
    const sources = await checkOut(run, order.revision, join(work, 'sources'));
    tell(`version ${sources.version} of ${sources.commit}`);
    const trees = await buildTrees(run, sources.folder, join(work, 'trees'));
    tell('built');
    const { repository, base, isPlain, folder } = order;
    const images = await makeImages(run, { crane, repository, base, workFolder: work }, sources, trees);
    tell(`${images.length} images`);
    for (const tree of trees) {
      await writeFile(join(folder, `${tree.component}.cdx.json`), await billOfMaterials(tree, sources));
    }
    tell(`${trees.length} bills of materials`);
    const chartPlace = { helm, repository: `${repository}/charts`, folder: work, isPlain };
    const chart = await makeChart(run, chartPlace, sources);
    tell('the chart');
    const release = { version: sources.version, commit: sources.commit, chart, images };
    const references = images.map(({ reference }) => reference);
    await run(crane, ['pull', '--format', 'oci', '--annotate-ref', ...references, join(folder, 'images')]);
    const provenance = await findProvenance(run, sources, { builder: order.builder, base, crane });
    await writeProvenance(provenance, release, folder);
    await writeFiles(run, release, sources, folder);
    tell('provenance and notes');
    return release;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Writes what all was made from, and the same as a statement of each image and of the chart. */
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

/** Values that pin every image: a tag may be moved, a digest not. */
function digestValues(images: readonly ReleasedImage[]): string {
  const camelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return images
    .map(({ component, digest }) => `${camelCase(component)}: { image: { digest: "${digest}" } }\n`)
    .join('');
}
