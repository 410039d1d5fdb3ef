import { createHash } from 'node:crypto';
import type { Answer, Ask } from './answer.ts';

/** One request and its answer. */
export interface RecordedAnswer {
  readonly endpoint: number;
  readonly method: string;
  readonly params: readonly unknown[];
  readonly answer: Answer;
}

/** Longer parameters are recorded as a hash: the addresses of a poll are very long. */
const LONGEST_PARAMETER = 500;

/**
 * Records every answer.
 * @param redact removes keys from a text
 */
export function recorded(ask: Ask, redact: (text: string) => string): { ask: Ask; answers: readonly RecordedAnswer[] } {
  const answers: RecordedAnswer[] = [];
  return {
    answers,
    async ask(endpoint, method, params) {
      const answer = await ask(endpoint, method, params);
      answers.push({ endpoint, method, params: shortened(params), answer: redacted(answer, redact) });
      return answer;
    },
  };
}

function shortened(value: readonly unknown[]): readonly unknown[] {
  return JSON.parse(
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === 'string' && part.length > LONGEST_PARAMETER
        ? `sha256:${createHash('sha256').update(part).digest('hex')}`
        : part,
    ),
  );
}

/** Redacts only error texts, which the endpoint writes; results are data of the chain. */
function redacted(answer: Answer, redact: (text: string) => string): Answer {
  if ('error' in answer) return { ...answer, error: { ...answer.error, message: redact(answer.error.message) } };
  return 'failure' in answer ? { ...answer, failure: redact(answer.failure) } : answer;
}
