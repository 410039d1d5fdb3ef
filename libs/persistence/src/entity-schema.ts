import { Schema, type SchemaDefinition, type SchemaDefinitionProperty } from 'mongoose';

/** Field of an amount: bigint in our code, a decimal string in Mongo, which has no integers of that size. */
export const AMOUNT = { type: String, amount: true } as const;

/** Field of a bigint that Mongo stores as a number to sum it up: far below 2^53. */
export const COUNT = { type: Number, count: true } as const;

interface TimeField {
  readonly type: typeof Date;
  readonly storedAs: string;
}

/** Field of a time: ms since 1970 in our code, a date in Mongo under another name. */
export function timeAs(storedAs: string): TimeField {
  return { type: Date, storedAs };
}

/** Whether a value contains an amount at any depth. */
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
      ? typeof AMOUNT | typeof COUNT
      : Value extends readonly (infer Element)[]
        ? readonly [EntityField<Element>]
        : EntityFields<Value>
    : SchemaDefinitionProperty | TimeField;

/**
 * The schema of each field of an entity. A missing field, which mongoose would silently drop, does not compile, and neither does an
 * amount without `AMOUNT` or `COUNT`.
 */
export type EntityFields<Entity> = { readonly [Key in keyof Entity]-?: EntityField<NonNullable<Entity[Key]>> };

/** Some fields of an entity; for a list, one element is allowed too. */
type Change<Entity> = {
  readonly [Key in keyof Entity]?:
    | Entity[Key]
    | (Entity[Key] extends readonly (infer Element)[] ? Element : never)
    | undefined;
};

type Read = (stored: unknown) => unknown;

/** Schema of a collection whose rows are entities; one field, by default `id`, is Mongo's `_id`. */
export class EntitySchema<Entity extends object, Id extends keyof Entity = 'id' & keyof Entity> extends Schema {
  private readonly read: Read;

  constructor(
    collection: string,
    private readonly fields: EntityFields<Omit<Entity, Id>>,
    private readonly idField: Id = 'id' as Id,
  ) {
    super({ _id: String, ...definitionOf(fields) }, { collection, versionKey: false });
    this.read = readerOf(fields, true) ?? ((stored) => stored);
  }

  /** Converts a row to its entity. */
  toEntity({ _id, ...rest }: { readonly _id: string }): Entity {
    return { [this.idField]: _id, ...(this.read(rest) as Omit<Entity, Id>) } as Entity;
  }

  /** Converts an entity to its row. */
  toRow(entity: Entity): { readonly _id: string } {
    const { [this.idField]: _id, ...rest } = entity;
    return { _id: _id as string, ...this.stored(rest as Partial<Entity>) };
  }

  /** Converts some fields of an entity, or new elements of its lists, to their stored form; leaves out undefined ones. */
  stored(change: Change<Entity>): object {
    const known = Object.entries(change).filter(([, value]) => value !== undefined);
    return written(Object.fromEntries(known), this.fields, true) as object;
  }
}

function definitionOf(fields: object): SchemaDefinition {
  return Object.fromEntries(Object.entries(fields).map(([key, field]) => [storedName(key, field), definedAs(field)]));
}

function definedAs(field: unknown): SchemaDefinitionProperty {
  if (Array.isArray(field)) return field.map(definedAs);
  return (isNested(field) ? definitionOf(field) : field) as SchemaDefinitionProperty;
}

function isNested(field: unknown): field is object {
  return typeof field === 'object' && field !== null && !Array.isArray(field) && !('type' in field);
}

function isTime(field: unknown): field is TimeField {
  return typeof field === 'object' && field !== null && 'storedAs' in field;
}

function storedName(key: string, field: unknown): string {
  return isTime(field) ? field.storedAs : key;
}

/** Converts a value to its stored form. @param isFields whether `field` lists the value's fields, one of which may be called `type` */
function written(value: unknown, field?: unknown, isFields = isNested(field)): unknown {
  if (typeof value === 'bigint') return field === COUNT ? Number(value) : value.toString();
  if (isTime(field) && typeof value === 'number') return new Date(value);
  if (Array.isArray(value)) return value.map((inner) => written(inner, Array.isArray(field) ? field[0] : undefined));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (Array.isArray(field)) return written(value, field[0]);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const of: unknown = isFields ? Reflect.get(field as object, key) : undefined;
      return [storedName(key, of), written(inner, of)];
    }),
  );
}

/** Returns the function that reads a field's stored form; undefined where the stored form is the value itself. */
function readerOf(field: unknown, isFields = isNested(field)): Read | undefined {
  if (field === AMOUNT) return (stored) => (typeof stored === 'string' ? BigInt(stored) : stored);
  if (Array.isArray(field)) {
    const read = readerOf(field[0]);
    return read && ((stored) => (Array.isArray(stored) ? stored.map(read) : stored));
  }
  if (field === COUNT) return (stored) => (typeof stored === 'number' ? BigInt(stored) : stored);
  if (isTime(field)) return (stored) => (stored instanceof Date ? stored.getTime() : stored);
  if (!isFields) return undefined;
  const readers = new Map(
    Object.entries(field as object).map(([key, inner]) => [storedName(key, inner), { key, read: readerOf(inner) }]),
  );
  if (![...readers.values()].some(({ read }) => read)) return undefined;
  return (stored) => {
    if (typeof stored !== 'object' || stored === null) return stored;
    return Object.fromEntries(
      Object.entries(stored).map(([name, inner]) => {
        const { key = name, read } = readers.get(name) ?? {};
        return [key, read?.(inner) ?? inner];
      }),
    );
  };
}
