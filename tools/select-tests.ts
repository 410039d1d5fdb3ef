import { WHOLE_FILE } from './test-report.ts';

/** Test files, and which of their tests run. */
export interface Selection {
  /** Paths relative to the workspace. */
  readonly files: readonly string[];
  /** Undefined: every test. */
  readonly titles?: { readonly isWhole: boolean; readonly of: readonly string[] };
}

/** Stands between a file and a title of its test, in reports and in words of `npm test`. */
const OF_FILE = ' › ';
/** Targets of tests/package.json that take files and are no rounds. */
const FOR_FILES = new Set(['specs', 'pages']);

/**
 * Finds tests by words. `path › title`, as a report writes it, is this test. Each other word is a part of paths or, if no path holds it,
 * of titles: it selects the tests of the files named beside it, or of all files whose text holds it.
 * @param files every test file @param read text of a file @returns nothing if the words find no file
 */
export function selectTests(
  words: readonly string[],
  files: readonly string[],
  read: (file: string) => string,
): readonly Selection[] {
  const { true: reported = [], false: parts = [] } = Object.groupBy(words, (word) => String(word.includes(OF_FILE)));
  return [...selectReported(reported, files), ...selectByParts(parts, files, read)].filter(
    (one) => one.files.length > 0,
  );
}

function selectReported(words: readonly string[], files: readonly string[]): readonly Selection[] {
  const tests = words.map(partsOf).filter(({ file }) => files.includes(file));
  return [
    {
      files: [...new Set(tests.map(({ file }) => file))],
      titles: { isWhole: true, of: [...new Set(tests.map(({ title }) => title))] },
    },
  ];
}

function selectByParts(
  words: readonly string[],
  files: readonly string[],
  read: (file: string) => string,
): readonly Selection[] {
  const titles = words.filter((word) => !files.some((file) => file.includes(word)));
  const named = files.filter((file) => words.some((word) => file.includes(word)));
  if (titles.length === 0) return [{ files: named }];
  const isIn = (file: string) => titles.some((title) => read(file).includes(title));
  return [{ files: named.length > 0 ? named : files.filter(isIn), titles: { isWhole: false, of: titles } }];
}

function partsOf(test: string): { file: string; title: string } {
  const [file = '', ...title] = test.split(OF_FILE);
  return { file, title: title.join(OF_FILE) };
}

/** Regular expression for the names that Vitest (`group > test`) or Playwright (`project file group test`) give to these tests. */
export function titlePattern({ isWhole, of }: NonNullable<Selection['titles']>, isInBrowser: boolean): string {
  const either = `(?:${of.map((title) => escaped(isInBrowser ? title.replaceAll(' > ', ' ') : title)).join('|')})`;
  if (!isWhole) return either;
  return isInBrowser ? `\\.e2e\\.ts ${either}(?: @.*)?$` : `^${either}$`;
}

/**
 * The command that repeats exactly what failed. @param failed as in {@link TestResults} @param words of the run, which repeat a failure
 * that belongs to no test
 */
export function commandToRepeat(failed: readonly string[], words: readonly string[]): string {
  const again = failed.flatMap((test) => {
    const { file, title } = partsOf(test);
    if (file.includes('/')) return title === WHOLE_FILE ? file : test;
    return FOR_FILES.has(file) ? words : `--round=${file}`;
  });
  return `npm test -- ${[...new Set(again)].map(quoted).join(' ')}`;
}

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');

const quoted = (word: string) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
