import type { ChangeReturnAddressRequest, ChangeReturnAddressResponse } from '@maker/contracts';
import { recipientProblem } from '@maker/rules';
import { isText, shape } from './answer-shape.ts';
import { type ApiClient, jobPath } from './api-client.ts';
import type { ApiError } from './api-result.ts';

/** What the page knows that never gives back what it receives. */
export interface KnownDeadEnds {
  readonly tokenAddress: string;
  /** Empty where the configuration names none. */
  readonly treasury: string;
}

/**
 * What is wrong with a return address as typed; undefined if it is empty or may be sent. The service checks its checksum and the chain.
 * Source: design § 4 'Return address'.
 */
function returnAddressProblem(typed: string, { tokenAddress, treasury }: KnownDeadEnds): string | undefined {
  if (typed.trim() === '') return undefined;
  return recipientProblem(typed, [
    { address: tokenAddress, what: "the token's own contract" },
    { address: treasury, what: "the service's own wallet" },
  ]);
}

/** What the service said of a return address that it did not take. */
export interface RefusedAddress {
  /** As it was typed. */
  readonly typed: string;
  readonly message: string;
  /** A contract is taken once the payer says that they know. */
  readonly isContract: boolean;
}

const REFUSALS: readonly (string | undefined)[] = ['RETURN_ADDRESS_REFUSED', 'RETURN_ADDRESS_IS_CONTRACT'];
/** A malformed request names its field. */
const FIELD = 'returnAddress: ';

/** The refusal of a return address, where an error is one. @param typed the address that was asked for; empty where there was none */
export function refusedAddress(typed: string, { code, message }: ApiError): RefusedAddress | undefined {
  const isOfField = code === 'INVALID_REQUEST' && typed.trim() !== '';
  if (!isOfField && !REFUSALS.includes(code)) return undefined;
  const sentence = message.startsWith(FIELD) ? message.slice(FIELD.length) : message;
  return { typed, message: sentence, isContract: code === 'RETURN_ADDRESS_IS_CONTRACT' };
}

/** Whether an entered return address may be sent to the service. */
export interface AddressVerdict {
  /** What the page says against it. */
  readonly problem: string | undefined;
  /** What the service said against this very address. */
  readonly refused: RefusedAddress | undefined;
  readonly isUsable: boolean;
}

/**
 * Judges a return address as entered: a refusal stands until another address is typed, and the payer's consent lifts that of a contract.
 * @param entered as typed, and whether the payer says that it is their contract @param lastRefused by the service
 */
export function judgeReturnAddress(
  entered: { readonly typed: string; readonly isContract: boolean },
  lastRefused: RefusedAddress | undefined,
  deadEnds: KnownDeadEnds,
): AddressVerdict {
  const problem = returnAddressProblem(entered.typed, deadEnds);
  const refused = lastRefused?.typed === entered.typed ? lastRefused : undefined;
  const isBlocked = refused !== undefined && !(refused.isContract && entered.isContract);
  return { problem, refused, isUsable: problem === undefined && !isBlocked };
}

const isChanged = shape<ChangeReturnAddressResponse>({ returnAddress: isText });

/** `POST /jobs/{jobId}/return-address`: until the payment arrives. */
export function changeReturnAddress(api: ApiClient, jobId: string, body: ChangeReturnAddressRequest) {
  return api.call({ method: 'POST', path: `${jobPath(jobId)}/return-address`, body, check: isChanged });
}
