import recorded from './examples.json' with { type: 'json' };

/** Time of the creation of the job in the examples. */
const RECORDED_AT = '2026-11-27T07:36:29.427Z';

/** Recorded answer of a local stack to an operation; undefined for the OpenAPI documents. */
export function answerExample(operationId: string): unknown {
  return (recorded.answers as Readonly<Record<string, unknown>>)[operationId];
}

/** A webhook message of a type. */
export function messageExample(type: string): unknown {
  const data = (recorded.messages as Readonly<Record<string, unknown>>)[type];
  return { type, timestamp: RECORDED_AT, data };
}
