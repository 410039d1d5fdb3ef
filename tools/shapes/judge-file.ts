import { parseSync, Visitor } from 'rolldown/utils';

/** What a file does with shapes of exchange. @param mayImport whether it may import from the folder of a shape */
export interface JudgedFile {
  /** From the workspace, with `/`. */
  readonly path: string;
  readonly text: string;
  readonly mayImport: boolean;
}

interface Placed {
  readonly start: number;
}

/**
 * Names of shapes in a file that must know none, and imports from their folders, a sentence for each. A part of a name counts:
 * `kind.endsWith('-v3')` is a switch as well. Texts and comments that only mention a shape do not. Source: docs/adr/0076.
 * @param shapes names of all shapes @throws when the text does not parse
 */
export function judgeFile({ path, text, mayImport }: JudgedFile, shapes: readonly string[]): string[] {
  const { program, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path} cannot be parsed: ${errors[0].message}`);
  const parts = new Set(shapes.flatMap(partsOf));
  const faults: string[] = [];
  const refuse = ({ start }: Placed, why: string) => {
    faults.push(`${path}:${text.slice(0, start).split('\n').length} ${why}`);
  };
  const name = (node: Placed, value: string) => {
    if (parts.has(value.replace(/^-+|-+$/g, ''))) {
      refuse(
        node,
        `names '${value}', a shape of exchange or a part of one: ask its ExchangeShape instead (docs/adr/0076)`,
      );
    }
  };
  const key = (node: { key: unknown; computed: boolean }) => {
    if (!node.computed && isNode(node.key) && node.key.type === 'Identifier') name(node.key, node.key.name);
  };
  const importFrom = (node: { source: unknown } & Placed) => {
    const from = isNode(node.source) && typeof node.source.value === 'string' ? node.source.value : '';
    const shape = shapes.find((one) => from.includes(`/${one}/`));
    if (shape && !mayImport) {
      refuse(node, `imports from the folder of the shape '${shape}', which only the registry does (docs/adr/0076)`);
    }
  };
  new Visitor({
    Literal(node) {
      if (typeof node.value === 'string') name(node, node.value);
      if ('regex' in node) for (const word of wordsOf(node.regex.pattern)) name(node, word);
    },
    TemplateElement: (node) => name(node, node.value.cooked ?? ''),
    Property: key,
    TSPropertySignature: key,
    ImportDeclaration: importFrom,
    ExportNamedDeclaration: importFrom,
    ExportAllDeclaration: importFrom,
    ImportExpression: importFrom,
    TSImportType: importFrom,
  }).visit(program);
  return faults;
}

/** Every run of a name's words: of `uniswap-v3` also `uniswap` and `v3`. */
function partsOf(shape: string): readonly string[] {
  const words = shape.split('-');
  return words.flatMap((_, first) =>
    words.slice(first).map((_, more) => words.slice(first, first + more + 1).join('-')),
  );
}

/** Words of a pattern; `v3\\.` is a version of something else. */
function wordsOf(pattern: string): readonly string[] {
  return pattern.replace(/v\d+\\\./g, '').split(/[^a-z0-9-]+/);
}

function isNode(value: unknown): value is Placed & { type: string; name: string; value?: unknown } {
  return typeof value === 'object' && value !== null && 'start' in value;
}
