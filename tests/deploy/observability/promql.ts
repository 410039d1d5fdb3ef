/** Parts of a PromQL expression that our checks need: not a parser of the language. */
export interface ExpressionParts {
  /** Selected series. */
  readonly names: readonly string[];
  /** Matchers, with their series. */
  readonly matchers: readonly { name: string; label: string; operator: string; value: string }[];
  /** Labels for grouping and joining. */
  readonly grouping: readonly string[];
}

const WORDS = new Set(['and', 'or', 'unless', 'bool', 'offset', 'group_left', 'group_right', 'inf', 'nan']);
const SELECTOR = /([a-zA-Z_:][\w:]*)\s*\{([^}]*)\}/g;
const MATCHER = /(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g;
const GROUPING = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;

/** Parses an expression. */
export function partsOf(expression: string): ExpressionParts {
  const matchers = [...expression.matchAll(SELECTOR)].flatMap(([, name = '', inner = '']) =>
    [...inner.matchAll(MATCHER)].map(([, label = '', operator = '', value = '']) => ({ name, label, operator, value })),
  );
  const grouping = [...expression.matchAll(GROUPING)].flatMap(([, labels = '']) =>
    labels
      .split(',')
      .map((label) => label.trim())
      .filter(Boolean),
  );
  const bare = expression
    .replaceAll(/\{[^}]*\}/g, '')
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\[[^\]]*\]/g, '')
    .replaceAll(GROUPING, '');
  const names = [...bare.matchAll(/(?<![\w.$])([a-zA-Z_:][\w:]*)(?!\s*\()(?![\w:])/g)]
    .map(([, name = '']) => name)
    .filter((name) => !WORDS.has(name.toLowerCase()));
  return { names: [...new Set(names)], matchers, grouping };
}

/** The values in a matcher; undefined for a variable or a pattern. */
export function valuesOf({ operator, value }: { operator: string; value: string }): string[] | undefined {
  if (operator === '=' || operator === '!=') return [value];
  const values = value.split('|');
  return values.every((one) => /^[\w./:-]+$/.test(one)) ? values : undefined;
}
