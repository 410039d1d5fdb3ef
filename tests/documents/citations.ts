/** Documents whose sections are cited by number, each `docs/<name>.md`. */
export const DOCUMENTS = ['design', 'specification', 'hyperevm'] as const;

/** Name of a document. */
export type DocumentName = (typeof DOCUMENTS)[number];

/** Sections of a document by number, each with the names of the headings below it. */
export type Sections = ReadonlyMap<string, ReadonlySet<string>>;

/** Targets of citations. */
export interface Library {
  readonly sections: Readonly<Record<DocumentName, Sections>>;
  /** Paths of all files, relative to the repository, with '/'. */
  readonly files: readonly string[];
}

const NUMBER = String.raw`\d+(?:\.\d+)?[a-z]?`;
/** `design § 4`, `design §§ 2.3, 4 and 5`, `design § 4 'Amounts' and 'Return address'`. */
const CITATION = new RegExp(
  String.raw`\b(${DOCUMENTS.join('|')}) §§? (${NUMBER}(?:(?:, | and )${NUMBER})*)((?:(?: and)? '[^']+')*)`,
  'g',
);
const HEADING = new RegExp(String.raw`^#{2,4} (?:(${NUMBER})\.? )?(.+)$`);
const PATH = /\bdocs\/(?:adr\/\d{4}|[a-z/-]+\.md)/g;
/** Files whose section signs cite nothing: headings of the page of sentences, and the examples of this test. */
const NOT_READ = ['docs/specification-coverage.md', 'tests/documents/'];

/** The numbered sections of a Markdown page. A heading without a number belongs to the numbered one above it. */
export function sectionsOf(markdown: string): Sections {
  const sections = new Map<string, Set<string>>();
  let names = new Set<string>();
  for (const line of markdown.split('\n')) {
    const [, number, title] = HEADING.exec(line) ?? [];
    if (number !== undefined) {
      names = new Set();
      sections.set(number, names);
    } else if (title !== undefined) names.add(title);
  }
  return sections;
}

/**
 * Broken citations in a file.
 * @param path of the file, relative to the repository
 * @returns one line for each: file, line number and fault
 */
export function brokenCitations(path: string, text: string, library: Library): string[] {
  if (NOT_READ.some((start) => path.startsWith(start))) return [];
  return text
    .split('\n')
    .flatMap((line, index) => faultsOf(line, library).map((fault) => `${path}:${index + 1}: ${fault}`));
}

function faultsOf(line: string, library: Library): string[] {
  const faults: string[] = [];
  for (const [, document, numbers = '', names = ''] of line.matchAll(CITATION)) {
    const sections = library.sections[document as DocumentName];
    const cited = numbers.split(/, | and /);
    const known = cited.filter((number) => sections.has(number));
    faults.push(...cited.filter((number) => !known.includes(number)).map((number) => `${document} has no § ${number}`));
    for (const [, name = ''] of names.matchAll(/'([^']+)'/g)) {
      const exists = known.some((number) => sections.get(number)?.has(name));
      if (!exists) faults.push(`${document} § ${numbers} has no heading '${name}'`);
    }
  }
  if (line.replaceAll(CITATION, '').includes('§')) {
    faults.push(`a section is cited as <document> § <number>, and the documents are ${DOCUMENTS.join(', ')}`);
  }
  for (const [cited] of line.matchAll(PATH)) {
    if (!library.files.some((file) => file.startsWith(cited))) faults.push(`there is no ${cited}`);
  }
  return faults;
}
