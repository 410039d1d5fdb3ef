/**
 * Bundles the build of a service, or of the operators' program, and all that it imports into a few files: reading a thousand files one by one took more than half of a
 * start (docs/adr/0039). `main.js` and the chunks that it loads later contain the product's own code, with source maps. `packages.js`
 * contains the packages, not minified and without a map, which Node would hold in memory.
 *
 * Usage: node bundle-service.mjs [workspace…], after tsc; default: the current folder.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { neededBy } from './production-packages.mjs';

/** Further programs of an image beside `main.js`, which are not run at its start. */
const FURTHER_PROGRAMS = { 'apps/job': ['initiate-replica-set'] };
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const PACKAGE = /^((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const IN_PACKAGE = /\/node_modules\//;
/** Nest's call for a package that may be missing; a bundler does not recognise it. */
const HIDDEN_REQUIRE = /createRequire\(import\.meta\.url\)\((['"][^'"]+['"])\)/g;
/** With one such character Node stores the whole file with two bytes per character. */
const NOT_ASCII = /[^\0-\x7f]/g;
/** Packages to replace by a module of Node. `whatwg-url` loads a table of all characters, 7 MiB in memory. */
const BUILT_IN = { 'whatwg-url': 'node:url' };

/** Loads tsc's source maps, so that the bundle's maps lead to the sources. */
const mapsToSources = {
  name: 'maps-to-sources',
  load: {
    filter: { id: /\/(apps|libs)\/[^/]+\/dist\/.*\.js$/ },
    handler: (id) => ({ code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') }),
  },
};

const visibleRequires = {
  name: 'visible-requires',
  transform: {
    filter: { id: /\/@nestjs\//, code: /createRequire\(import\.meta\.url\)\(/ },
    handler: (code) => ({ code: code.replace(HIDDEN_REQUIRE, 'require($1)'), map: null }),
  },
};

function inAscii(code) {
  // After a backslash an escape would have another meaning.
  if (/\\[^\0-\x7f]/.test(code)) return code;
  return code.replace(NOT_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** @throws Error when a chunk imports something at the start that is neither in the bundle nor part of Node */
function assertWhole(workspace, chunks) {
  const files = new Set(chunks.map(({ fileName }) => fileName));
  const outside = chunks.flatMap(({ imports }) => imports).filter((name) => !files.has(name) && !isBuiltin(name));
  if (outside.length > 0) throw new Error(`the bundle of ${workspace} would import ${outside.join(', ')}`);
}

/** Writes a chunk. @returns its files, relative to the root */
function writeChunk(folder, { fileName, code, map, modules }) {
  const ids = Object.keys(modules).filter((id) => modules[id].renderedLength > 0);
  const isOurs = ids.some((id) => id.startsWith(ROOT) && !IN_PACKAGE.test(id));
  const text = code.replace(/\n?\/\/# sourceMappingURL=\S+\s*$/, '');
  if (isOurs && map) {
    writeFileSync(join(folder, fileName), `${text}\n//# sourceMappingURL=${fileName}.map\n`);
    writeFileSync(join(folder, `${fileName}.map`), map.toString());
  } else {
    writeFileSync(join(folder, fileName), inAscii(text));
  }
  return ids.filter((id) => id.startsWith(ROOT)).map((id) => relative(ROOT, id));
}

async function bundle(workspace) {
  const { places, absent } = neededBy(ROOT, workspace);
  const folder = join(ROOT, workspace, 'dist', 'bundle');
  const programs = ['main', ...(FURTHER_PROGRAMS[workspace] ?? [])];
  const build = await rolldown({
    cwd: ROOT,
    input: Object.fromEntries(programs.map((name) => [name, join(ROOT, workspace, 'dist', `${name}.js`)])),
    platform: 'node',
    tsconfig: false,
    resolve: { alias: BUILT_IN },
    // Packages that an image does not contain are not bundled, even if a development tool has installed them.
    external: absent.map((name) => new RegExp(`^${name}(/|$)`)),
    plugins: [mapsToSources, visibleRequires],
    // An unresolved import is an absent package, or assertWhole throws.
    onLog: (level, log, report) => log.code !== 'UNRESOLVED_IMPORT' && report(level, log),
  });
  const { output } = await build.generate({
    dir: folder,
    format: 'esm',
    chunkFileNames: '[name].js',
    sourcemap: true,
    sourcemapExcludeSources: true,
    // As Node does: decorators need reflect-metadata before they run.
    strictExecutionOrder: true,
    // Nest, mongoose and logs identify classes by their names.
    keepNames: true,
    comments: { legal: true, annotation: false, jsdoc: false },
    codeSplitting: {
      groups: [
        { name: 'packages', test: IN_PACKAGE, tags: ['$initial'], priority: 2 },
        { name: 'later-packages', test: IN_PACKAGE, priority: 1 },
      ],
    },
  });
  await build.close();
  const chunks = output.filter(({ type }) => type === 'chunk');
  assertWhole(workspace, chunks);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files = chunks.flatMap((chunk) => writeChunk(folder, chunk)).sort();
  const packages = [...new Set(files.flatMap((file) => PACKAGE.exec(file)?.[1] ?? []))];
  const strangers = packages.filter((place) => !places.has(place));
  if (strangers.length > 0) throw new Error(`${workspace} imports undeclared packages: ${strangers.join(', ')}`);
  const sources = files.filter((file) => !PACKAGE.test(file));
  const digest = createHash('sha256');
  for (const file of sources) digest.update(readFileSync(join(ROOT, file)));
  writeFileSync(join(folder, 'contents.json'), JSON.stringify({ packages, sources, digest: digest.digest('hex') }));
}

const asked = process.argv.slice(2).map((workspace) => resolve(workspace));
for (const directory of asked.length > 0 ? asked : [process.cwd()]) await bundle(relative(ROOT, directory));
