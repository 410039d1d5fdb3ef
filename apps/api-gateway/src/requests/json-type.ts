/** Content type of every JSON answer, also of errors. */
export const JSON_TYPE = 'application/json; charset=utf-8';
