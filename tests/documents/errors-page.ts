import { ENDPOINTS, FAILURE_STATUS, type FailureCode } from '@maker/contracts';

/** How a client should react to each code. */
const REACTIONS: Readonly<Record<FailureCode, string>> = {
  INVALID_REQUEST: 'Correct the request: `message` names the field.',
  UNAUTHORIZED: 'Send a valid `X-API-Key`.',
  FORBIDDEN: 'Use a key with the scope that the endpoint asks for.',
  COMMAND_REFUSED: 'Sign the command again with a key that maker-executor knows: `message` gives the reason.',
  NOT_FOUND: 'Check the path.',
  JOB_NOT_FOUND: 'Check the job id.',
  METHOD_NOT_ALLOWED: 'Use the method in the header `Allow`.',
  NO_CAPACITY: 'Choose a smaller budget, or retry later: other jobs have booked the capacity.',
  NOT_POSSIBLE_NOW: 'Read the state of the job, then decide: it does not allow the request now.',
  PAYLOAD_TOO_LARGE: 'Send a smaller body.',
  UNSUPPORTED_MEDIA_TYPE: 'Send `application/json`.',
  AMOUNT_OUT_OF_RANGE: 'Choose an amount within the limits that `message` names.',
  TOKEN_NOT_TRADABLE: 'Choose another token: `message` gives the reason.',
  RETURN_ADDRESS_REFUSED: 'Name another return address: `message` gives the reason.',
  RETURN_ADDRESS_IS_CONTRACT: 'Ask the payer, then repeat with `returnAddressIsContract`: the address is a contract.',
  IDEMPOTENCY_KEY_REUSED: 'Use a new `Idempotency-Key` for another request.',
  TOO_MANY_REQUESTS: 'Retry after the seconds in the header `Retry-After`.',
  TOO_MANY_OPEN_JOBS: 'Pay or cancel open jobs, or retry later.',
  INTERNAL: 'Retry; report `requestId` when it happens again.',
  OVERLOADED: 'Retry after the seconds in the header `Retry-After`.',
  PRICE_UNCONFIRMED: 'Retry with a growing delay: the RPC endpoints of the service report different prices.',
  AGREEMENT_INVALID: 'Send no money. Retry later; tell the operator if it continues.',
  XPUB_MISMATCH: 'Retry later, with a growing delay: the operator has to correct the keys of the service first.',
  SERVICE_UNAVAILABLE: 'Retry with a growing delay.',
  SERVICE_TIMEOUT: 'Retry; repeat a creation with the same `Idempotency-Key`.',
};

const INTRODUCTION = `# Errors of the API

Every error has a body with \`message\`, \`error\`, \`statusCode\`, \`code\` and \`requestId\`. Decide by \`code\`; show \`message\` to people.
A script writes this page from \`libs/contracts\`: run \`npm run docs:reference\` after a change.
`;

/** The page \`docs/errors.md\`. */
export function errorsPage(): string {
  const every = Object.values(ENDPOINTS);
  const rows = Object.entries(FAILURE_STATUS).map(([code, status]) => {
    const own = every.filter(({ failures }) => (failures as readonly string[]).includes(code));
    const visitors = own.filter(({ path }) => !path.startsWith('/operator'));
    const paths = visitors.map(({ method, path }) => `\`${method} ${path}\``);
    const operator = own.length > visitors.length ? ['`/operator/…`'] : [];
    const where = [...paths, ...operator].join(', ') || 'every endpoint';
    return `| \`${code}\` | ${status} | ${REACTIONS[code as FailureCode]} | ${where} |`;
  });
  return `${INTRODUCTION}\n| code | status | what to do | answered by |\n|---|---|---|---|\n${rows.join('\n')}\n`;
}
