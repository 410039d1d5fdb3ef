import { isMap, isScalar, isSeq, type Pair, parse, parseDocument, type YAMLMap } from 'yaml';

type Schema = Record<string, unknown>;

const ANNOTATION = '@schema ';
const DESCRIPTION = '-- ';

/** An amount of CPU, memory or storage, as Kubernetes writes it. */
const QUANTITY = {
  type: ['string', 'number'],
  pattern: '^[0-9]+([.][0-9]+)?(m|k|[KMGTPE]i?|[eE][0-9]+)?$',
  minimum: 0,
};
const QUANTITIES = { type: 'object', additionalProperties: QUANTITY };

/** What Kubernetes takes as the name of a Secret, a ConfigMap or a claim; nothing, where none is named. */
const OBJECT_NAME = { type: 'string', pattern: '^([a-z0-9]([-a-z0-9.]*[a-z0-9])?)?$' };
const WEB_ADDRESS = { type: 'string', pattern: '^(https?://[^ ]+)?$' };
const named = (...required: string[]) => ({ type: 'array', items: { type: 'object', required } });
const TOLERATION = {
  key: 'string',
  operator: 'string',
  value: 'string',
  effect: 'string',
  tolerationSeconds: 'integer',
};

/** Values of these names are of one shape wherever they stand. */
const SHAPES: Readonly<Record<string, Schema>> = {
  existingSecret: OBJECT_NAME,
  existingConfigMap: OBJECT_NAME,
  existingClaim: OBJECT_NAME,
  registry: { type: 'string', pattern: '^([a-z0-9.-]+(:[0-9]{1,5})?(/[a-z0-9._/-]+)?)?$' },
  repository: { type: 'string', pattern: '^([a-z0-9][a-z0-9._/:-]*)?$' },
  tag: { type: 'string', pattern: '^([A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?$' },
  apiBaseUrl: WEB_ADDRESS,
  explorerUrl: WEB_ADDRESS,
  socialUrl: WEB_ADDRESS,
  messagingUrl: WEB_ADDRESS,
  runbookBaseUrl: WEB_ADDRESS,
  extraEnv: named('name'),
  extraVolumes: named('name'),
  extraVolumeMounts: named('name', 'mountPath'),
  tolerations: {
    type: 'array',
    items: {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(Object.entries(TOLERATION).map(([field, type]) => [field, { type }])),
    },
  },
  resources: {
    type: 'object',
    additionalProperties: false,
    properties: { requests: QUANTITIES, limits: QUANTITIES, claims: { type: 'array', items: { type: 'object' } } },
  },
};

/**
 * JSON schema of a chart's values, made from the values file itself: types from the defaults, descriptions from the
 * comments that the README shows (`# -- …`), limits from `# @schema {…}` before them. A value that is not in the file
 * is refused; an empty map or list takes anything, but for the names in {@link SHAPES}.
 * @throws Error naming a value without a description
 */
export function valuesSchema(valuesFile: string, title: string): Schema {
  const document = parseDocument(valuesFile);
  if (!isMap(document.contents)) throw new Error('the values are not a map');
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title,
    ...objectSchema(document.contents, []),
  };
}

function objectSchema(map: YAMLMap, path: readonly string[]): Schema {
  const properties = Object.fromEntries(
    map.items.map((pair, index) => {
      const name = String(isScalar(pair.key) ? pair.key.value : pair.key);
      // The parser gives the comment before a map's first entry to the map.
      const comment = index === 0 && path.length > 0 ? map.commentBefore : commentOf(pair);
      return [name, valueSchema(pair.value, readComment(comment ?? ''), [...path, name])];
    }),
  );
  return { type: 'object', additionalProperties: false, properties };
}

function commentOf(pair: Pair): string | null | undefined {
  return isScalar(pair.key) ? pair.key.commentBefore : undefined;
}

interface Comment {
  readonly description: string | undefined;
  readonly annotation: Schema;
}

/** Reads the lines of a comment, given without their '#'. */
function readComment(comment: string): Comment {
  const lines = comment.split('\n').map((line) => line.trim());
  const annotation = lines.find((line) => line.startsWith(ANNOTATION))?.slice(ANNOTATION.length);
  const begin = lines.findLastIndex((line) => line.startsWith(DESCRIPTION));
  const description =
    begin < 0
      ? undefined
      : [lines[begin]?.slice(DESCRIPTION.length), ...lines.slice(begin + 1)].filter(Boolean).join(' ');
  return { description, annotation: annotation ? (parse(annotation) as Schema) : {} };
}

function valueSchema(value: unknown, { description, annotation }: Comment, path: readonly string[]): Schema {
  if (isMap(value) && value.items.length > 0 && description === undefined) return objectSchema(value, path);
  if (description === undefined) throw new Error(`${path.join('.')} has no description`);
  return { description, ...(SHAPES[path.at(-1) ?? ''] ?? typeOf(value, path)), ...annotation };
}

function typeOf(value: unknown, path: readonly string[]): Schema {
  if (isMap(value)) return { type: 'object' };
  if (isSeq(value)) return { type: 'array' };
  const content: unknown = isScalar(value) ? value.value : undefined;
  if (typeof content === 'number') return { type: Number.isInteger(content) ? 'integer' : 'number' };
  if (typeof content === 'boolean' || typeof content === 'string') return { type: typeof content };
  throw new Error(`${path.join('.')} has no default from which its type can be told`);
}
