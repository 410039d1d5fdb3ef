import { posix } from 'node:path';
import { findCircles } from './find-circles.ts';
import { type ImportLine, isForTests, type SourceFile } from './source-file.ts';

/**
 * The rooms of a project, lowest floor first; undefined: the project is small enough to need none. A room is a folder of `src`, or a
 * file of `src` without its extension.
 */
export type Floors = readonly (readonly string[])[] | undefined;

/** Files without code, or checked only by the bundler. */
const ASSET = /\.(css|json)$/;

/** The room of a file of `src`: its top folder, or its own name without extension. */
function roomOf(path: string): string {
  const [first = '', ...inside] = path.split('/');
  return inside.length > 0 ? first : first.replace(/(\.d)?\.tsx?$/, '');
}

/**
 * The violations of a project's order by its files, one sentence each: neither files nor rooms import in a circle, and no import goes up.
 * @param project its folder, named in the sentences
 */
export function judgeProject(project: string, floors: Floors, files: readonly SourceFile[]): string[] {
  const shipped = files.filter(({ path }) => !isForTests(path));
  const paths = new Set(files.map(({ path }) => path));
  const floorOf = new Map((floors ?? []).flatMap((rooms, floor) => rooms.map((room) => [room, floor + 1] as const)));
  const rooms = new Map(shipped.map(({ path }) => [roomOf(path), new Set<string>()]));
  const faults: string[] = [];

  for (const room of floors ? rooms.keys() : []) {
    if (!floorOf.has(room)) faults.push(`${project}: room '${room}' has no floor; declare it in floors.json`);
  }
  for (const room of floorOf.keys()) {
    if (!rooms.has(room)) faults.push(`${project}: floors.json declares room '${room}', which src does not have`);
  }

  const links = new Map<string, string[]>(shipped.map(({ path }) => [path, []]));
  for (const file of shipped) {
    const here = roomOf(file.path);
    for (const line of file.imports.filter(({ specifier }) => specifier.startsWith('.'))) {
      const refuse = (why: string): void => {
        faults.push(`${project}/src/${file.path}:${line.line} imports '${line.specifier}': ${why}`);
      };
      const target = targetOf(file, line);
      if (ASSET.test(target) && !target.startsWith('..')) continue;
      if (!paths.has(target)) {
        refuse('this is no file of the project; another project is imported by its name, a file with its extension');
      } else if (isForTests(target)) {
        refuse('only tests may import code for tests');
      } else {
        const there = roomOf(target);
        links.get(file.path)?.push(target);
        if (here === there) continue;
        rooms.get(here)?.add(there);
        const [from, to] = [floorOf.get(here), floorOf.get(there)];
        if (from === undefined || to === undefined || to < from) continue;
        refuse(`room '${here}' on floor ${from} may not import room '${there}' on floor ${to}, only lower floors`);
      }
    }
  }

  const circles = findCircles(links).map((circle) => `files in a circle: ${circle.join(' → ')}`);
  const roomCircles = floors ? [] : findCircles(rooms).map((circle) => `rooms in a circle: ${circle.join(' → ')}`);
  return [...faults, ...[...circles, ...roomCircles].map((problem) => `${project}/src: ${problem}`)];
}

function targetOf(file: SourceFile, line: ImportLine): string {
  return posix.join(posix.dirname(file.path), line.specifier);
}
