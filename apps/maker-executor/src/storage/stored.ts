/** A value as Mongo holds it: money as a decimal string, everything else as it is. */
export type Stored<Value> = Value extends bigint
  ? string
  : Value extends Date
    ? Date
    : Value extends readonly (infer Element)[]
      ? Stored<Element>[]
      : Value extends object
        ? { -readonly [Key in keyof Value]: Stored<Value[Key]> }
        : Value;

/** Fields that hold an amount are named so, which is what tells a decimal string from any other text. */
const AMOUNT_FIELD = /(Wei|Tokens|X96)$/;

/** Turns every bigint of a value into the decimal string that Mongo keeps. */
export function toStored<Value>(value: Value): Stored<Value> {
  return convert(value, (_field, leaf) => (typeof leaf === 'bigint' ? leaf.toString() : leaf)) as Stored<Value>;
}

/** Turns the decimal strings of fields named `…Wei`, `…Tokens` and `…X96` back into bigint. */
export function fromStored<Value>(stored: Stored<Value>): Value {
  return convert(stored, (field, leaf) =>
    typeof leaf === 'string' && AMOUNT_FIELD.test(field) ? BigInt(leaf) : leaf,
  ) as Value;
}

function convert(value: unknown, leaf: (field: string, value: unknown) => unknown, field = ''): unknown {
  if (Array.isArray(value)) return value.map((element) => convert(element, leaf, field));
  if (typeof value !== 'object' || value === null || value instanceof Date) return leaf(field, value);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, convert(inner, leaf, key)]));
}
