import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Enums, Models, Serialize, SPDX, Spec } from '@cyclonedx/cyclonedx-library';
import type { Tree } from './build-trees.ts';
import type { Sources } from './check-out.ts';

/** The fields of an entry of package-lock.json that this module reads. */
interface LockedPackage {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly link?: boolean;
}

type Lockfile = Readonly<Record<string, LockedPackage>>;

const PACKAGE_PLACE = /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)$/;

/** Reads the locked packages of some sources, by place. */
async function readLockfile(sources: string): Promise<Lockfile> {
  const { packages } = JSON.parse(await readFile(join(sources, 'package-lock.json'), 'utf8')) as { packages: Lockfile };
  return packages;
}

/**
 * Lists the npm packages of an image and Node in CycloneDX: each package in its tree or bundled in its files, with the lockfile's data.
 * The same tree gives the same bytes.
 * @throws Error if the lockfile lacks a package of the tree
 */
export async function billOfMaterials(tree: Tree, { folder, version, committedAt }: Sources): Promise<string> {
  const locked = await readLockfile(folder);
  const places = new Set([...(await packagePlaces(tree.folder)), ...tree.bundled]);
  const components = [...places].sort().map((place) => componentOf(place, locked[place]));
  const image = new Models.Component(Enums.ComponentType.Container, tree.component, {
    bomRef: tree.component,
    version,
  });
  const node = new Models.Component(Enums.ComponentType.Platform, 'node', {
    bomRef: 'node',
    version: process.versions.node,
    purl: `pkg:generic/node@${process.versions.node}`,
  });
  const bom = new Models.Bom({
    metadata: new Models.Metadata({ timestamp: new Date(committedAt * 1000), component: image }),
    components: new Models.ComponentRepository([node, ...components]),
    serialNumber: serialNumber([tree.component, version, ...components.map(({ bomRef }) => bomRef.value ?? '')]),
  });
  const json = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return `${json.serialize(bom, { sortLists: true, space: 2 })}\n`;
}

/** Places of packages in a tree. It skips links, because their targets are in the tree too. */
async function packagePlaces(tree: string): Promise<readonly string[]> {
  const entries = await readdir(tree, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(tree.length + 1))
    .filter((place) => PACKAGE_PLACE.test(place) && existsSync(join(tree, place, 'package.json')));
}

function componentOf(place: string, locked: LockedPackage | undefined): Models.Component {
  const [, name] = PACKAGE_PLACE.exec(place) ?? [];
  if (!name || !locked?.version) throw new Error(`${place} is in an image, and not in package-lock.json`);
  const { version, license, integrity } = locked;
  const [algorithm, digest] = integrity?.split(' ')[0]?.split('-', 2) ?? [];
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const component = new Models.Component(Enums.ComponentType.Library, name, {
    bomRef: `${purl}#${place}`,
    version,
    purl,
  });
  if (license) component.licenses.add(licenseOf(license));
  if (algorithm === 'sha512' && digest) {
    component.hashes.set(Enums.HashAlgorithm['SHA-512'], Buffer.from(digest, 'base64').toString('hex'));
  }
  return component;
}

function licenseOf(text: string): Models.License {
  return SPDX.isSupportedSpdxId(text) ? new Models.SpdxLicense(text) : new Models.NamedLicense(text);
}

/** A UUID from a digest of the content (RFC 9562, version 8). */
function serialNumber(content: readonly string[]): string {
  const hex = createHash('sha256').update(content.join('\n')).digest('hex');
  const groups = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return `urn:uuid:${groups.join('-')}`;
}
