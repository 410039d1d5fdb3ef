import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WORKSPACE_ROOT } from '@maker/local-stack/command';
import { neededBy } from '../../docker/production-packages.mjs';
import { BROWSER_BUILDS, COMPONENTS } from '../../tools/release/components.ts';

/** A package of another author in an image or in the pages. */
interface ShippedPackage {
  readonly name: string;
  readonly licence: string;
}

/** Apps that ship packages: images, and builds for browsers that are part of one. */
const SHIPPED = [
  ...COMPONENTS.map((name) => `apps/${name}`),
  ...Object.keys(BROWSER_BUILDS).map((name) => `apps/${name}`),
];

const INTRODUCTION = `# Licences of what ships

These packages of other authors are in the images or in the pages of the site. A script writes this page from the packages' own manifests: run \`npm run docs:reference\` after a change.

Uniswap's contracts (GPL-2.0-or-later, GPL-3.0-or-later and BUSL-1.1) are in \`libs/local-stack\` alone: they deploy the exchanges of a test chain, and are in no image of a release.
`;

/** Every shipped package once, sorted by name. */
export function shippedPackages(): ShippedPackage[] {
  const found = new Map<string, ShippedPackage>();
  for (const app of SHIPPED) {
    for (const place of neededBy(WORKSPACE_ROOT, app).places.keys()) {
      if (!place.includes('node_modules')) continue;
      const { name, license } = JSON.parse(readFileSync(join(WORKSPACE_ROOT, place, 'package.json'), 'utf8'));
      const licence = typeof license === 'string' ? license : (license?.type ?? 'unknown');
      found.set(name, { name, licence });
    }
  }
  return [...found.values()].sort((one, other) => one.name.localeCompare(other.name, 'en'));
}

/** The page \`docs/licences.md\`. */
export function licencesPage(): string {
  const byLicence = Map.groupBy(shippedPackages(), ({ licence }) => licence);
  const rows = [...byLicence]
    .sort(([one], [other]) => one.localeCompare(other, 'en'))
    .map(([licence, packages]) => `| ${licence} | ${packages.map(({ name }) => `\`${name}\``).join(', ')} |`);
  return `${INTRODUCTION}\n| licence | packages |\n|---|---|\n${rows.join('\n')}\n`;
}
