/**
 * Makes a few files of a service's build and of all that it imports: reading a thousand files one by one was more than half of what a
 * start cost (docs/adr/0039). `main.js` and what it loads later are the product's own, with maps to the sources; `packages.js` is what
 * stands under them, not minified and without a map, which Node would hold in memory.
 *
 * Usage: node bundle-service.mjs [workspace…], after tsc; the folder it is called in unless told.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { neededBy } from './production-packages.mjs';

/** What a service has beside its `main.js`: programs of its image that something else than a start runs. */
const FURTHER_PROGRAMS = { 'apps/job': ['initiate-replica-set'] };
const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const PACKAGE = /^((?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+)\//;
const IN_PACKAGE = /\/node_modules\//;
/** How Nest asks for a package that it may not have: a bundler does not see it. */
const HIDDEN_REQUIRE = /createRequire\(import\.meta\.url\)\((['"][^'"]+['"])\)/g;
/** With one such character Node keeps the whole file in two bytes a character. */
const NOT_ASCII = /[^\0-\x7f]/g;
/** Packages that a module of Node replaces. `whatwg-url` loads a table of all characters, 7 MiB in memory. */
const BUILT_IN = { 'whatwg-url': 'node:url' };

/** Reads tsc's maps, so that the bundle's lead to the sources. */
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
  // After a backslash an escape would mean something else.
  if (/\\[^\0-\x7f]/.test(code)) return code;
  return code.replace(NOT_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** @throws Error where something is imported at the start that is neither in the bundle nor Node's own */
function assertWhole(workspace, chunks) {
  const files = new Set(chunks.map(({ fileName }) => fileName));
  const outside = chunks.flatMap(({ imports }) => imports).filter((name) => !files.has(name) && !isBuiltin(name));
  if (outside.length > 0) throw new Error(`the bundle of ${workspace} would import ${outside.join(', ')}`);
}

/** Writes a chunk. @returns the files that are in it, seen from the root */
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
    // What an image has not is not bundled where some tool of development brought it.
    external: absent.map((name) => new RegExp(`^${name}(/|$)`)),
    plugins: [mapsToSources, visibleRequires],
    // What is not found is among the absent, or assertWhole says so.
    onLog: (level, log, report) => log.code !== 'UNRESOLVED_IMPORT' && report(level, log),
  });
  const { output } = await build.generate({
    dir: folder,
    format: 'esm',
    chunkFileNames: '[name].js',
    sourcemap: true,
    sourcemapExcludeSources: true,
    // As Node would: decorators need what reflect-metadata does before they run.
    strictExecutionOrder: true,
    // Nest and mongoose tell classes by their names, and so do logs.
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
  if (strangers.length > 0) throw new Error(`${workspace} does not name what it imports: ${strangers.join(', ')}`);
  const sources = files.filter((file) => !PACKAGE.test(file));
  const digest = createHash('sha256');
  for (const file of sources) digest.update(readFileSync(join(ROOT, file)));
  writeFileSync(join(folder, 'contents.json'), JSON.stringify({ packages, sources, digest: digest.digest('hex') }));
}

const asked = process.argv.slice(2).map((workspace) => resolve(workspace));
for (const directory of asked.length > 0 ? asked : [process.cwd()]) await bundle(relative(ROOT, directory));
