/**
 * Copies what an image needs at run time: the bundle, and the manifests and licences of the packages in it, so that people and scanners can
 * identify them. The bundle gets the build's path, so that every image starts by the same name; its maps still lead to the sources.
 *
 * Usage: node production-tree.mjs <workspace> <target>, in the root of an installed and bundled workspace.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Manifest and licences of a package. */
const MANIFEST_OR_LICENCE = /^(package\.json|(licen[cs]e|copying|notice)([.-].*)?)$/i;

const [workspace, target] = process.argv.slice(2);
if (!workspace || !target) throw new Error('usage: production-tree.mjs <workspace> <target>');
const root = process.cwd();
const bundle = join(root, workspace, 'dist', 'bundle');
const place = join(target, workspace, 'dist');
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

const { packages } = readJson(join(bundle, 'contents.json'));
mkdirSync(place, { recursive: true });
for (const file of readdirSync(bundle)) {
  if (file.endsWith('.js')) cpSync(join(bundle, file), join(place, file));
  if (!file.endsWith('.map')) continue;
  const map = readJson(join(bundle, file));
  const sources = map.sources.map((source) => join('bundle', source));
  writeFileSync(join(place, file), JSON.stringify({ ...map, sources }));
}
cpSync(join(root, workspace, 'package.json'), join(target, workspace, 'package.json'));
for (const directory of packages) {
  for (const file of readdirSync(join(root, directory)).filter((name) => MANIFEST_OR_LICENCE.test(name))) {
    cpSync(join(root, directory, file), join(target, directory, file), { recursive: true });
  }
}
