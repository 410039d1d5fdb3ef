import { Schema, type SchemaDefinition, type SchemaDefinitionProperty } from 'mongoose';

/** What mongoose is told of each field of a row. */
type Fields<Row> = { readonly [Field in keyof Row]-?: SchemaDefinitionProperty<Row[Field], Row> };

/**
 * Schema of a collection's rows. Mongoose drops without a word what a schema does not name, so that a field of the row
 * without an entry here does not compile.
 */
export function rowSchema<Row>(
  collection: string,
  fields: Fields<Row>,
  options: { readonly minimize?: false } = {},
): Schema<Row> {
  // Its own types cannot tell of a row that is not known yet.
  return new Schema(fields as SchemaDefinition, {
    ...options,
    collection,
    versionKey: false,
  }) as unknown as Schema<Row>;
}
