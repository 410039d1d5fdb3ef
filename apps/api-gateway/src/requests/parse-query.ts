import { parse } from 'node:querystring';

/** A field of a query that names an entry of an object, such as `metadata[orderId]`. */
const ENTRY = /^([^[\]]+)\[([^[\]]+)\]$/;

/** Parses a query. `name[entry]=value` becomes the object `name`, as `deepObject` of OpenAPI describes it. */
export function parseQuery(text: string): Record<string, unknown> {
  const query: Record<string, unknown> = Object.create(null);
  for (const [field, value] of Object.entries(parse(text))) {
    const [, name, entry] = ENTRY.exec(field) ?? [];
    if (name === undefined || entry === undefined) {
      query[field] = value;
      continue;
    }
    const object = query[name] ?? Object.create(null);
    // A text and an object of one name do not fit together: the field stays as it is, and no query has such a field.
    if (typeof object !== 'object' || Array.isArray(object)) query[field] = value;
    else query[name] = Object.assign(object, { [entry]: value });
  }
  return query;
}
