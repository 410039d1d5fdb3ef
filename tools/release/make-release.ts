import { hash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findTool } from '../go-tool.ts';
import { billOfMaterials } from './bill-of-materials.ts';
import { buildTrees } from './build-trees.ts';
import { checkOut, type Sources } from './check-out.ts';
import { makeChart, type ReleasedChart } from './make-chart.ts';
import { makeImages, type ReleasedImage } from './make-images.ts';
import { type Artefact, findProvenance, type Provenance, statementOf } from './provenance.ts';
import { changelog, releaseNotes } from './release-notes.ts';
import type { RunStep } from './run-step.ts';
import { type SigningKey, signArtefacts, signFile, throwAwayKey } from './sign-artefacts.ts';

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
  /** Signs all that is pushed; a key that is used once where it is undefined. */
  readonly key: SigningKey | undefined;
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

/** Makes everything a release is from a commit, and pushes images and chart. */
export async function makeRelease(run: RunStep, order: ReleaseOrder, tell: (line: string) => void): Promise<Release> {
  const work = await takeWorkFolder();
  try {
    const [crane, helm, cosign] = await Promise.all([findTool('crane'), findTool('helm'), findTool('cosign')]);
    await rm(order.folder, { recursive: true, force: true });
    await mkdir(join(order.folder, 'sbom'), { recursive: true });
    const sources = await checkOut(run, order.revision, join(work, 'sources'));
    tell(`version ${sources.version} of ${sources.commit}`);
    const trees = await buildTrees(run, sources.folder, join(work, 'trees'));
    tell('built');
    const { repository, base, isPlain, folder } = order;
    const images = await makeImages(run, { crane, repository, base, workFolder: work }, sources, trees);
    tell(`${images.length} images`);
    for (const tree of trees) {
      await writeFile(join(folder, 'sbom', `${tree.component}.cdx.json`), await billOfMaterials(tree, sources));
    }
    tell(`${trees.length} bills of materials`);
    const chartPlace = { helm, repository: `${repository}/charts`, folder: work, isPlain };
    const chart = await makeChart(run, chartPlace, sources);
    tell('the chart');
    const release = { version: sources.version, commit: sources.commit, chart, images };
    await run(crane, [
      'pull',
      '--format',
      'oci',
      '--annotate-ref',
      ...images.map(({ reference }) => reference),
      join(folder, 'images'),
    ]);
    const key = order.key ?? (await throwAwayKey(run, cosign, work));
    const provenance = await findProvenance(run, sources, { builder: order.builder, base, crane });
    await attest(run, cosign, key, release, { provenance, folder, work });
    tell('signatures and provenance');
    await writeFiles(run, release, sources, folder);
    await signFile(run, cosign, key, join(folder, 'SHA256SUMS'));
    return release;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** Signs images and chart, and attests what they were made from and what is in them. */
async function attest(
  run: RunStep,
  cosign: string,
  key: SigningKey,
  { chart, images }: Release,
  { provenance, folder, work }: { provenance: Provenance; folder: string; work: string },
): Promise<void> {
  const ofChart = {
    name: 'chart',
    reference: `${chart.url.replace('oci://', '')}@${chart.digest}`,
    digest: chart.digest,
  };
  const ofImages = images.map((image) => ({ ...image, name: image.component }));
  const artefacts: readonly Artefact[] = [...ofImages, ofChart];
  const predicate = join(work, 'provenance.json');
  await writeFile(predicate, JSON.stringify(provenance));
  await mkdir(join(folder, 'provenance'));
  for (const artefact of artefacts) {
    const statement = `${JSON.stringify(statementOf(artefact, provenance), null, 2)}\n`;
    await writeFile(join(folder, 'provenance', `${artefact.name}.intoto.json`), statement);
  }
  await signArtefacts(run, cosign, key, {
    artefacts,
    attestations: [
      ...artefacts.map((artefact) => ({ artefact, type: 'slsaprovenance1' as const, file: predicate })),
      ...ofImages.map((artefact) => ({
        artefact,
        type: 'cyclonedx' as const,
        file: join(folder, 'sbom', `${artefact.component}.cdx.json`),
      })),
    ],
    publicKeyFile: join(folder, 'cosign.pub'),
  });
}

async function writeFiles(run: RunStep, release: Release, sources: Sources, folder: string): Promise<void> {
  const { chart, images } = release;
  await run('cp', ['--preserve=timestamps', chart.archive, folder]);
  await writeFile(join(folder, 'images.txt'), images.map(({ reference }) => `${reference}\n`).join(''));
  await writeFile(join(folder, 'values-digests.yaml'), digestValues(images));
  await writeFile(join(folder, 'notes.md'), await releaseNotes(run, sources));
  await writeFile(join(folder, 'CHANGELOG.md'), await changelog(run, sources.commit, sources.version));
  const lines: string[] = [];
  for (const name of (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.parentPath.startsWith(join(folder, 'images')))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()) {
    lines.push(`${hash('sha256', await readFile(join(folder, name)))}  ${name}\n`);
  }
  await writeFile(join(folder, 'SHA256SUMS'), lines.join(''));
}

/** Values that pin every image: a tag may be moved, a digest not. */
function digestValues(images: readonly ReleasedImage[]): string {
  const camelCase = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return images
    .map(({ component, digest }) => `${camelCase(component)}: { image: { digest: "${digest}" } }\n`)
    .join('');
}
