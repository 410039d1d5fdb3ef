import recorded from './examples.json' with { type: 'json' };

/** When the job of the examples was created. */
const RECORDED_AT = '2026-11-27T07:36:29.427Z';

/** Body of an operation's success, as a local stack answered; undefined for the OpenAPI documents themselves. */
export function answerExample(operationId: string): unknown {
  return (recorded.answers as Readonly<Record<string, unknown>>)[operationId];
}

/** A webhook message of a type. */
export function messageExample(type: string): unknown {
  const data = (recorded.messages as Readonly<Record<string, unknown>>)[type];
  return { type, timestamp: RECORDED_AT, data };
}
