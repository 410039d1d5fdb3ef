/**
 * Copies only what one workspace needs at run time. For a bundled service: its bundle, and the manifests and licences of the packages in
 * it, so that people and scanners can identify them. For another workspace: its build, those of the workspaces that it depends on, and
 * the packages.
 *
 * Usage: node production-tree.mjs <workspace> <target>, in the root of an installed and built workspace.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { neededBy } from './production-packages.mjs';

/** Files that Node never runs: TypeScript, source maps and notes of packages; licences stay. */
const NEVER_RUN = /\.(d\.[cm]?ts|[cm]?ts|tsx|map|md|markdown|flow)$/;

/** Files for the next build and for compilation against this one; the maps of executed files stay. */
const NOT_OF_RUNNING = /\.(d\.ts|d\.ts\.map|tsbuildinfo)$/;

/** Manifest and licences of a package. */
const MANIFEST_OR_LICENCE = /^(package\.json|(licen[cs]e|copying|notice)([.-].*)?)$/i;

const [workspace, target] = process.argv.slice(2);
if (!workspace || !target) throw new Error('usage: production-tree.mjs <workspace> <target>');
const root = process.cwd();

const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

function copyWorkspace(directory, place) {
  const build = join(directory, 'dist');
  if (!existsSync(build)) throw new Error(`${place} was not built`);
  cpSync(build, join(target, place, 'dist'), { recursive: true, filter: (path) => !NOT_OF_RUNNING.test(path) });
  cpSync(join(directory, 'package.json'), join(target, place, 'package.json'));
}

function copyPackage(directory, place) {
  cpSync(directory, join(target, place), {
    recursive: true,
    filter: (path) => !NEVER_RUN.test(path) && !relative(directory, path).split('/').includes('node_modules'),
  });
}

function copyModules() {
  const { places, links } = neededBy(root, workspace);
  for (const [place, directory] of places) {
    if (place.startsWith('node_modules') || place.includes('/node_modules/')) copyPackage(directory, place);
    else copyWorkspace(directory, place);
  }
  for (const [link, place] of links) {
    mkdirSync(dirname(join(target, link)), { recursive: true });
    symlinkSync(relative(dirname(link), place), join(target, link));
  }
}

/** Copies the bundle to the build's path, so that every image starts by the same name; its maps still lead to the sources. */
function copyBundle(bundle) {
  const place = join(target, workspace, 'dist');
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
  for (const place of packages) {
    for (const file of readdirSync(join(root, place)).filter((name) => MANIFEST_OR_LICENCE.test(name))) {
      cpSync(join(root, place, file), join(target, place, file), { recursive: true });
    }
  }
}

const bundle = join(root, workspace, 'dist', 'bundle');
if (existsSync(bundle)) copyBundle(bundle);
else copyModules();
