import type { ChangeReturnAddressRequest, ChangeReturnAddressResponse } from '@maker/contracts';
import { parseRecipient } from '@maker/rules';
import { isText, shape } from './answer-shape.ts';
import { type ApiClient, jobPath } from './api-client.ts';
import type { ApiError } from './api-result.ts';

/** Addresses known to the page that never return money. */
export interface KnownDeadEnds {
  readonly tokenAddress: string;
  /** Empty if the configuration has none. */
  readonly treasury: string;
}

/**
 * The problem of a typed return address; undefined if it is empty or may be sent. The service also looks at the chain.
 * Source: design § 4 'Return address'.
 */
function returnAddressProblem(typed: string, { tokenAddress, treasury }: KnownDeadEnds): string | undefined {
  if (typed.trim() === '') return undefined;
  const parsed = parseRecipient(typed, [
    { address: tokenAddress, what: "the token's own contract" },
    { address: treasury, what: "the service's own wallet" },
  ]);
  return parsed.ok ? undefined : parsed.problem;
}

/** A return address that the service rejected. */
export interface RefusedAddress {
  /** As the visitor typed it. */
  readonly typed: string;
  readonly message: string;
  /** The service accepts a contract after the payer's consent. */
  readonly isContract: boolean;
}

const REFUSALS: readonly (string | undefined)[] = ['RETURN_ADDRESS_REFUSED', 'RETURN_ADDRESS_IS_CONTRACT'];
/** Prefix of the message for a malformed request: the name of the field. */
const FIELD = 'returnAddress: ';

/** The rejected return address, if the error is about it. @param typed the sent address; empty if there was none */
export function refusedAddress(typed: string, { code, message }: ApiError): RefusedAddress | undefined {
  const isOfField = code === 'INVALID_REQUEST' && typed.trim() !== '';
  if (!isOfField && !REFUSALS.includes(code)) return undefined;
  const sentence = message.startsWith(FIELD) ? message.slice(FIELD.length) : message;
  return { typed, message: sentence, isContract: code === 'RETURN_ADDRESS_IS_CONTRACT' };
}

/** Whether the page may send a return address to the service. */
export interface AddressVerdict {
  /** Error of the page's own check. */
  readonly problem: string | undefined;
  /** Rejection of this very address by the service. */
  readonly refused: RefusedAddress | undefined;
  readonly isUsable: boolean;
}

/**
 * Judges an entered return address. A rejection is valid until the visitor types another address; consent lifts that of a contract.
 * @param entered as typed, and whether the payer confirms that it is their contract @param lastRefused by the service
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
