import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAst } from 'vitest/node';

const MOST_LINES = 250;
const MOST_LINES_IN_ALL = 7000;
/** The same with `libs/execution-records`, which had 2,187: lines that move there do not get fewer. */
const MOST_LINES_WITH_RECORDS = 9187;
const MOST_PARAMETERS = 6;
const MOST_CLASSES_OF_NEST = 20;

/**
 * Fields with a map or set, and the key of each. The state of a job or a wallet is in its session, which ends with the
 * lease. Only the registry of sessions keeps several.
 */
const KEPT_BY_KEY: Readonly<Record<string, readonly string[]>> = {
  // Transaction of the database.
  'database.ts': ['withWork'],
  // Job.
  'runner/wallet-owner.ts': ['runners', 'handedOver'],
  // Question, for one tick.
  'session/view.ts': ['outcomes'],
};

/** Returns the sources of a folder, without specs and fixtures, by path. */
function sourcesOf(folder: string): ReadonlyMap<string, string> {
  return new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts') && !path.endsWith('.fixture.ts'))
      .sort()
      .map((path) => [path, readFileSync(join(folder, path), 'utf8')]),
  );
}

const SOURCES = sourcesOf(import.meta.dirname);
const RECORDS = sourcesOf(join(import.meta.dirname, '../../../libs/execution-records/src'));

const linesOf = (sources: ReadonlyMap<string, string>) =>
  [...sources.values()].reduce((sum, source) => sum + source.split('\n').length - 1, 0);

/** Fields of a syntax tree's node that these tests read. */
interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly decorators?: readonly Node[];
  readonly params?: readonly Node[];
  readonly kind?: string;
  readonly name?: string;
  readonly id?: Node;
  readonly key?: Node;
  readonly value?: Node;
  readonly parameter?: Node;
  readonly left?: Node;
}

function nodesOf(source: string): readonly Node[] {
  const nodes: Node[] = [];
  const visit = (value: unknown) => {
    if (Array.isArray(value)) value.forEach(visit);
    else if (value !== null && typeof value === 'object') {
      if ('type' in value) nodes.push(value as Node);
      Object.values(value).forEach(visit);
    }
  };
  visit(parseAst(source, { lang: 'ts' }));
  return nodes;
}

const isConstructor = ({ type, kind }: Node) => type === 'MethodDefinition' && kind === 'constructor';

/** Returns the classes that Nest creates, with the number of constructor parameters of each. */
function nestClassesOf(source: string): readonly { readonly name: string; readonly parameters: number }[] {
  const nodes = nodesOf(source);
  const textOf = ({ start, end }: Node) => source.slice(start, end);
  const classes = nodes.filter(
    ({ type, decorators = [] }) =>
      type === 'ClassDeclaration' && decorators.some((one) => /^@(?:Injectable|Controller)\b/.test(textOf(one))),
  );
  return classes.map(({ id, start, end }) => {
    const [own] = nodes.filter((node) => isConstructor(node) && node.start >= start && node.end <= end);
    return { name: id?.name ?? '', parameters: own?.value?.params?.length ?? 0 };
  });
}

/** Returns the fields, constructor parameters and module variables that hold a map, set, cache or record. */
function keptByKeyIn(source: string): readonly string[] {
  return nodesOf(source).flatMap((node) => {
    const text = source.slice(node.start, node.end);
    const isKeyed =
      /\b(?:new (?:(?:Weak)?(?:Map|Set)|LRUCache)\b|(?:Readonly|Weak)?(?:Map|Set)<|LRUCache<|Record<)/.test(text);
    if (!isKeyed) return [];
    if (node.type === 'PropertyDefinition') return isFunction(node.value) ? [] : [node.key?.name ?? text];
    if (node.type === 'TSParameterProperty') return [node.parameter?.name ?? node.parameter?.left?.name ?? text];
    // Only a variable of the module is not indented.
    const isOfModule = node.type === 'VariableDeclaration' && !/[ \t]$/.test(source.slice(0, node.start));
    return isOfModule && /= new (?:Weak)?(?:Map|Set)(?:<[^()]*>)?\(\)/.test(text) ? [text] : [];
  });
}

const isFunction = (node: Node | undefined) => node?.type === 'ArrowFunctionExpression';

/** Whether a source changes or inserts an execution through its repository. */
function writesExecutions(source: string): boolean {
  const code = source.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');
  return /\bexecutions\s*\.(?:change|insert)\(/.test(code);
}

describe('the sources of maker-executor', () => {
  it('are found', () => {
    expect(SOURCES.size).toBeGreaterThan(50);
    expect(SOURCES.has('runner/apply.ts')).toBe(true);
  });

  it('write executions in one place', () => {
    const paths = [...SOURCES].filter(([, source]) => writesExecutions(source)).map(([path]) => path);
    expect(paths).toEqual(['runner/apply.ts']);
  });

  it('keep the state of a job only in its session', () => {
    const kept = [...SOURCES].map(([path, source]) => [path, keptByKeyIn(source)] as const);
    expect(Object.fromEntries(kept.filter(([, names]) => names.length > 0))).toEqual(KEPT_BY_KEY);
  });

  it('give a class at most six constructor parameters', () => {
    const classes = [...SOURCES.values()].flatMap(nestClassesOf);
    expect(classes.filter(({ parameters }) => parameters > MOST_PARAMETERS)).toEqual([]);
    expect(classes).toContainEqual({ name: 'WalletOwner', parameters: 6 });
  });

  it('have Nest create at most twenty classes', () => {
    const names = [...SOURCES.values()].flatMap(nestClassesOf).map(({ name }) => name);
    expect(names.length, names.join(', ')).toBeLessThanOrEqual(MOST_CLASSES_OF_NEST);
    expect(names).toContain('Apply');
  });

  it('have at most 7000 lines in total', () => {
    expect(linesOf(SOURCES)).toBeLessThanOrEqual(MOST_LINES_IN_ALL);
  });

  it('have at most 9187 lines with their records', () => {
    expect(linesOf(SOURCES) + linesOf(RECORDS)).toBeLessThanOrEqual(MOST_LINES_WITH_RECORDS);
  });

  it('claim, save and broadcast in one place', () => {
    const paths = [...SOURCES].filter(([, source]) => /\.(?:gasLimiter\.claim|capacity\.book)\(/.test(source));
    expect(paths.map(([path]) => path)).toEqual(['runner/apply.ts']);
  });

  it('have at most 250 lines each', () => {
    const long = [...SOURCES].filter(([, source]) => source.trimEnd().split('\n').length > MOST_LINES);
    expect(long.map(([path]) => path)).toEqual([]);
  });
});

describe('these checks', () => {
  const classOf = (body: string, decorator = '@Injectable()') => `${decorator}\nexport class Some {\n${body}\n}\n`;

  it.each([
    ['a map', '  private readonly since = new Map<string, number>();', ['since']],
    ['a private map', '  readonly #since = new Map();', ['since']],
    ['a map by its type', '  private readonly since: Map<string, number>;', ['since']],
    ['a cache', '  private readonly since = new LRUCache<string, number>({ max: 10 });', ['since']],
    ['a set', '  private since: ReadonlySet<string> = new Set();', ['since']],
    ['a record', '  private since: Readonly<Record<string, number>> = {};', ['since']],
    ['a map as a parameter', '  constructor(private readonly since: Map<string, number> = new Map()) {}', ['since']],
    ['no count, which has no key', '  private count = 0;', []],
    ['no map inside a method', '  run() {\n    const since = new Map<string, number>();\n  }', []],
  ])('find %s', (_, body, names) => {
    expect(keptByKeyIn(classOf(body))).toEqual(names);
  });

  it('find a map of the module', () => {
    expect(keptByKeyIn('const since = new Map<string, number>();\n')).toHaveLength(1);
    expect(keptByKeyIn("const names = new Map([['a', 1]]);\n")).toEqual([]);
  });

  it('find code that writes executions', () => {
    expect(writesExecutions('await this.database.executions.change(before, change, session);')).toBe(true);
    expect(writesExecutions('await executions.insert(execution, session);')).toBe(true);
    expect(writesExecutions('// executions.insert(\nawait executions.find(id);')).toBe(false);
  });

  it('count the constructor parameters of a class', () => {
    const parameters = ['@Inject(KEY) a: A', 'private readonly b: Map<string, B>', 'c: (d: D, e: E) => void'];
    const body = `  constructor(${parameters.join(', ')}) {}`;
    expect(nestClassesOf(classOf(body))).toEqual([{ name: 'Some', parameters: 3 }]);
    expect(nestClassesOf(classOf(body, '@Controller()'))).toEqual([{ name: 'Some', parameters: 3 }]);
    expect(nestClassesOf(classOf(''))).toEqual([{ name: 'Some', parameters: 0 }]);
    expect(nestClassesOf(classOf(body, ''))).toEqual([]);
  });
});
