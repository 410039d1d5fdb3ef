/** A text that is sent as an answer again and again: what Node would find out each time is found out once. */
export interface AnswerText {
  readonly text: string;
  /** Bytes. */
  readonly contentLength: string;
  /** One byte a character where that is the same bytes, which Node writes at half the cost. */
  readonly encoding: 'latin1' | 'utf8';
}

/** An answer as JSON. */
export function answerText(answer: object): AnswerText {
  const text = JSON.stringify(answer);
  const bytes = Buffer.byteLength(text);
  return { text, contentLength: String(bytes), encoding: bytes === text.length ? 'latin1' : 'utf8' };
}
