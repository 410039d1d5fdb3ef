/** Content type of every answer in JSON, of errors too. */
export const JSON_TYPE = 'application/json; charset=utf-8';
