import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import type { ProjectDeclaration } from './declaration.ts';
import { findCircles } from './find-circles.ts';
import { type ImportLine, isForTests, type SourceFile } from './source-file.ts';

/** Files without code, or checked only by the bundler. */
const ASSET = /\.(css|json)$/;

/** The room of a file of `src`: its top folder, or its own name without extension. */
function roomOf(path: string): string {
  const [first = '', ...inside] = path.split('/');
  return inside.length > 0 ? first : first.replace(/(\.d)?\.tsx?$/, '');
}

function isRelative({ specifier }: ImportLine): boolean {
  return specifier.startsWith('.');
}

function isOutsideCode({ specifier }: ImportLine): boolean {
  return isBuiltin(specifier) || specifier.startsWith('@maker/');
}

function allows(uses: readonly string[], specifier: string): boolean {
  const name = isBuiltin(specifier) && !specifier.startsWith('node:') ? `node:${specifier}` : specifier;
  return uses.some((use) => (use.endsWith('*') ? name.startsWith(use.slice(0, -1)) : name === use));
}

/**
 * The violations of a project's declaration by its files, one sentence each.
 * @param project its folder, named in the sentences
 */
export function judgeProject(project: string, declared: ProjectDeclaration, files: readonly SourceFile[]): string[] {
  const shipped = files.filter(({ path }) => !isForTests(path));
  const paths = new Set(files.map(({ path }) => path));
  const floorOf = new Map(declared.floors.flatMap((rooms, floor) => rooms.map((room) => [room, floor + 1] as const)));
  const rooms = new Set(shipped.map(({ path }) => roomOf(path)));
  const faults: string[] = [];

  for (const room of rooms) {
    if (!floorOf.has(room)) faults.push(`${project}: room '${room}' has no floor; declare it in floors.json`);
  }
  for (const room of floorOf.keys()) {
    if (!rooms.has(room)) faults.push(`${project}: floors.json declares room '${room}', which src does not have`);
  }

  for (const file of shipped) {
    const here = roomOf(file.path);
    for (const line of file.imports) {
      const refuse = (why: string): void => {
        faults.push(`${project}/src/${file.path}:${line.line} imports '${line.specifier}': ${why}`);
      };
      if (!isRelative(line)) {
        if (isOutsideCode(line) && !allows(declared.uses, line.specifier)) {
          refuse(`${project} may use ${declared.uses.join(', ') || 'nothing of ours, and no I/O'}`);
        }
        continue;
      }
      const target = targetOf(file, line);
      if (ASSET.test(target) && !target.startsWith('..')) continue;
      if (!paths.has(target)) {
        refuse('this is no file of the project; another project is imported by its name, a file with its extension');
      } else if (isForTests(target)) {
        refuse('only tests may import code for tests');
      } else {
        const there = roomOf(target);
        const [from, to] = [floorOf.get(here), floorOf.get(there)];
        if (here === there || from === undefined || to === undefined || to < from) continue;
        refuse(`room '${here}' on floor ${from} may not import room '${there}' on floor ${to}, only lower floors`);
      }
    }
  }

  const links = new Map(
    shipped.map((file) => [file.path, file.imports.filter(isRelative).map((line) => targetOf(file, line))]),
  );
  for (const circle of findCircles(links)) faults.push(`${project}/src: files in a circle: ${circle.join(' → ')}`);
  return faults;
}

function targetOf(file: SourceFile, line: ImportLine): string {
  return posix.join(posix.dirname(file.path), line.specifier);
}
