import { Schema, type SchemaDefinition, type SchemaDefinitionProperty } from 'mongoose';

/** An amount: bigint in our code, and a decimal string in Mongo, which has no integers of that size. */
export const AMOUNT = { type: String, amount: true } as const;

/** Whether there is an amount anywhere in a value. */
type HoldsAmount<Value> = Value extends bigint
  ? true
  : Value extends Date
    ? false
    : Value extends readonly (infer Element)[]
      ? HoldsAmount<Element>
      : Value extends object
        ? { [Key in keyof Value]-?: HoldsAmount<Value[Key]> }[keyof Value]
        : false;

type EntityField<Value> =
  true extends HoldsAmount<Value>
    ? Value extends bigint
      ? typeof AMOUNT
      : Value extends readonly (infer Element)[]
        ? readonly [EntityField<Element>]
        : EntityFields<Value>
    : SchemaDefinitionProperty;

/** What mongoose is told of each field of an entity: one without an entry does not compile, nor an amount that is not said to be one. */
export type EntityFields<Entity> = { readonly [Key in keyof Entity]-?: EntityField<NonNullable<Entity[Key]>> };

/** An entity as Mongo holds it: amounts as decimal strings, everything else as it is. */
export type Stored<Value> = Value extends bigint
  ? string
  : Value extends Date
    ? Date
    : Value extends readonly (infer Element)[]
      ? Stored<Element>[]
      : Value extends object
        ? { -readonly [Key in keyof Value]: Stored<Value[Key]> }
        : Value;

type Read = (stored: unknown) => unknown;

/** Schema of a collection whose rows are entities; `id` is Mongo's `_id`. */
export class EntitySchema<Entity extends { readonly id: string }> extends Schema {
  private readonly read: Read;

  constructor(collection: string, fields: EntityFields<Omit<Entity, 'id'>>) {
    super({ _id: String, ...(fields as SchemaDefinition) }, { collection, versionKey: false });
    this.read = readerOf(fields) ?? ((stored) => stored);
  }

  /** The entity that a row holds. */
  toEntity({ _id, ...rest }: { readonly _id: string }): Entity {
    return { id: _id, ...(this.read(rest) as Omit<Entity, 'id'>) } as Entity;
  }
}

/** Turns every bigint of a value into the decimal string that Mongo keeps. */
export function toStored<Value>(value: Value): Stored<Value> {
  return written(value) as Stored<Value>;
}

function written(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return value.map(written);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, written(inner)]));
}

/** How what is stored of a field is read; undefined where it is the value itself. */
function readerOf(field: unknown): Read | undefined {
  if (field === AMOUNT) return (stored) => (typeof stored === 'string' ? BigInt(stored) : stored);
  if (Array.isArray(field)) {
    const read = readerOf(field[0]);
    return read && ((stored) => (Array.isArray(stored) ? stored.map(read) : stored));
  }
  if (typeof field !== 'object' || field === null || 'type' in field) return undefined;
  const readers = new Map(Object.entries(field).map(([key, inner]) => [key, readerOf(inner)]));
  if (![...readers.values()].some(Boolean)) return undefined;
  return (stored) => {
    if (typeof stored !== 'object' || stored === null) return stored;
    return Object.fromEntries(Object.entries(stored).map(([key, inner]) => [key, readers.get(key)?.(inner) ?? inner]));
  };
}
