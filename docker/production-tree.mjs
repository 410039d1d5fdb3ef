/**
 * Copies what one workspace needs at run time, and nothing else: its own build, those of the workspaces that it stands on,
 * and the packages that these name as dependencies. One installation serves every workspace this way, and npm's own would
 * hold more: the development dependencies of every linked workspace.
 *
 * Usage: node production-tree.mjs <workspace> <target>, in the root of an installed and built workspace.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** Node runs no TypeScript of a package and needs none of its maps and notes; licences stay. */
const NEVER_RUN = /\.(d\.[cm]?ts|[cm]?ts|tsx|map|md|markdown|flow)$/;

/** What a build leaves for the next one, and types for who builds against it; the maps of what runs stay. */
const NOT_OF_RUNNING = /\.(d\.ts|d\.ts\.map|tsbuildinfo)$/;

const [workspace, target] = process.argv.slice(2);
if (!workspace || !target) throw new Error('usage: production-tree.mjs <workspace> <target>');
const root = process.cwd();
const copied = new Set();

/** Where Node finds `name` from `directory`, or undefined. */
function find(name, directory) {
  for (let folder = directory; ; folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', name);
    if (existsSync(candidate)) return candidate;
    if (folder === root) return undefined;
  }
}

/** Names that must be there, and names that may be. */
function dependencies({
  dependencies = {},
  optionalDependencies = {},
  peerDependencies = {},
  peerDependenciesMeta = {},
}) {
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  const optional = new Set(Object.keys(optionalDependencies));
  return [...new Set([...Object.keys(dependencies), ...optional, ...peers])].map((name) => ({
    name,
    required: !optional.has(name),
  }));
}

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

function copy(found) {
  const directory = realpathSync(found);
  const place = relative(root, directory);
  const link = relative(root, found);
  if (link !== place && !copied.has(link)) {
    copied.add(link);
    mkdirSync(dirname(join(target, link)), { recursive: true });
    symlinkSync(relative(dirname(link), place), join(target, link));
  }
  if (copied.has(place)) return;
  copied.add(place);
  if (place.startsWith('node_modules')) copyPackage(directory, place);
  else copyWorkspace(directory, place);
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  for (const { name, required } of dependencies(manifest)) {
    const dependency = find(name, directory);
    if (dependency) copy(dependency);
    else if (required) throw new Error(`${manifest.name} needs ${name}, which is not installed`);
  }
}

copy(resolve(root, workspace));
