// The contracts' schemas would add all of zod to the browser's bundle. These checks cover the fields that a page needs, so
// that a wrong answer becomes an error message and not a broken page; the gateway's own tests cover the rest.

type FieldCheck = (value: unknown) => boolean;

/** Checks of a body's fields, by name. */
export type Shape = Readonly<Record<string, FieldCheck>>;

/** Whether a value is a string. */
export const isText = (value: unknown): value is string => typeof value === 'string';
/** Whether a value is a number. */
export const isNumber = (value: unknown): value is number => typeof value === 'number';
/** Whether a value is a boolean. */
export const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';
/** Whether a value is an amount in wei. */
export const isWei = (value: unknown): boolean => isText(value) && /^\d+$/.test(value);
/** Whether a value is a time in ISO 8601. */
export const isTime = (value: unknown): boolean => isText(value) && !Number.isNaN(Date.parse(value));

/** Accepts also an absent field and null. */
export const optional =
  (check: FieldCheck): FieldCheck =>
  (value) =>
    value === undefined || value === null || check(value);

/** A list whose entries all pass the check. */
export const listOf =
  (check: FieldCheck): FieldCheck =>
  (value) =>
    Array.isArray(value) && value.every(check);

/** Applies the same check to several fields. */
export const each = (check: FieldCheck, names: readonly string[]): Shape =>
  Object.fromEntries(names.map((name) => [name, check]));

/** An object whose named fields all pass their checks. */
export const shape =
  <Data>(fields: Shape) =>
  (value: unknown): value is Data =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries(fields).every(([name, check]) => check((value as Readonly<Record<string, unknown>>)[name]));
