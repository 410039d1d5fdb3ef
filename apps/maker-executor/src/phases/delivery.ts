import { erc20Abi } from '@maker/chain';
import {
  type Attempts,
  addAttempt,
  addEntries,
  addReason,
  beginAttempts,
  falselyDelivered,
  isDelivered,
  isExhausted,
  isTooEarly,
  NO_GAS,
  ownBalance,
  reversed,
  type TransactionRecord,
  wasReverted,
} from '@maker/execution-records';
import { AgreedRecipient } from '@maker/signing/agreement';
import { type Address, encodeFunctionData } from 'viem';
import type { Tick } from '../session/tick.ts';
import { affordableFees } from '../wallet/fees.ts';
import { check } from './reconcile.ts';
import { sendWhenRoom } from './send-when-room.ts';

/** Time after which a balance below the bought tokens counts as true, not as an endpoint's lag: some tokens take a fee. */
const LAG_MS = 10_000;

/** Time after which a delivery ends without success for any reason, because the return of the unspent HYPE waits for it. */
const GIVEN_UP_AFTER_MS = 600_000;

/** Time that an operator has to send the gas after a release of tokens. Source: docs/adr/0028. */
const GAS_AWAITED_MS = 3_600_000;
const GAS_CHECK_MS = 10_000;

/**
 * Sends all bought tokens to the return address in one transfer, after other tokens that operators release. The token decides
 * whether a transfer succeeds, so there are a few attempts. Tokens that stay are held. Source: design §§ 2.2 and 4.
 */
export function deliver(tick: Tick) {
  if (tick.open.length > 0) return tick.wait('the delivery is under way');
  const { execution, nowMs } = tick;
  const { releasedAt, cancelled, totals } = execution;
  const attempts = execution.attempts ?? beginAttempts(nowMs);
  // Noted before the first question to the token, so that the delivery ends for any answer.
  if (!execution.attempts) tick.note('delivery begins', { attempts });
  const patienceMs = releasedAt === null ? GIVEN_UP_AFTER_MS : GAS_AWAITED_MS;
  if (nowMs - attempts.sinceMs >= patienceMs)
    return endDelivery(tick, attempts.refusal ?? 'the tokens could not be delivered in time');
  if (isTooEarly(attempts, nowMs, cancelled)) return tick.wait('the next attempt comes later');
  // The awaited gas counts once it is in the ledger. The usual check, once a minute, would be late.
  if (attempts.refusal === NO_GAS && (!check(tick) || tick.execution.driftWei !== 0n))
    return tick.wait('ledger and chain are not known to agree');
  const recipient = AgreedRecipient.ofReturn(execution, tick.rules.trust);
  const [other] = execution.otherTokens ?? [];
  const expected = totals.boughtWei - totals.deliveredWei;
  const tokens = tick.ask('walletTokens', other ? { token: other } : { expected });
  if (tokens === undefined) {
    if (!other && totals.boughtWei === 0n) return endDelivery(tick, null);
    return refused(tick, attempts, 'the token does not report the balance of the wallet');
  }
  if (other) {
    if (tokens === 0n || 'holdReason' in recipient) return endDelivery(tick, null);
    return transfer(tick, attempts, other, tokens, recipient);
  }
  const undelivered = falselyDelivered(totals, tokens, attempts.lastTransfer);
  if (undelivered > 0n) {
    reverseDelivery(tick, undelivered);
    return deliver(tick);
  }
  const isLagging = totals.deliveredWei === 0n && tokens < totals.boughtWei && nowMs - attempts.sinceMs < LAG_MS;
  if (isLagging) return tick.wait('the wallet shows fewer tokens than were bought');
  if (isDelivered(totals, tokens)) return endDelivery(tick, null);
  if (tokens === 0n) return endDelivery(tick, 'the wallet shows none of the bought tokens');
  if ('holdReason' in recipient) return endDelivery(tick, recipient.holdReason);
  transfer(tick, attempts, execution.tokenAddress, tokens, recipient);
}

function transfer(tick: Tick, attempts: Attempts, token: Address, tokens: bigint, to: AgreedRecipient) {
  const { execution, head } = tick;
  const tried = tick.signed(['delivery']);
  if (isExhausted(attempts)) return endDelivery(tick, reasonAfter(tried));
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to.address, tokens] });
  const gas = tick.ask('transferGas', { to: token, valueWei: 0n, data });
  if ('refusal' in gas) return refused(tick, attempts, `the token cannot be delivered: it ${gas.refusal}`);
  const ownWei = ownBalance(execution, tick.refundSums(execution.gasFrom));
  const fees = affordableFees(head.baseFeeWei, BigInt(gas.gasLimit), ownWei);
  if (!fees) return waitForGas(tick, attempts);
  sendWhenRoom(
    tick,
    {
      id: `${execution.id}/delivery/${tried.length + 1}`,
      purpose: 'delivery',
      to: token,
      valueWei: 0n,
      data,
      gasLimit: gas.gasLimit,
      ...fees,
    },
    {
      attempts: {
        ...addAttempt(attempts, tick.nowMs),
        lastTransfer: { sentTokens: tokens, deliveredTokens: execution.totals.deliveredWei },
      },
    },
  );
}

/** Reverses the booking of delivered tokens that are still in the wallet, although the token's events say that they left. */
function reverseDelivery(tick: Tick, amountWei: bigint) {
  const { id: jobId, revision, totals } = tick.execution;
  const entry = reversed(tick.entry(`${jobId}/undelivered/${revision}`, 'delivered', amountWei), tick.recordedAt);
  const change = { totals: addEntries(totals, [entry]) };
  tick.add({ kind: 'note', reason: 'the tokens are still in the wallet', entries: [entry], change });
}

function refused(tick: Tick, attempts: Attempts, refusal: string) {
  const after = addAttempt(attempts, tick.nowMs, refusal);
  if (isExhausted(after)) return endDelivery(tick, refusal);
  tick.note(refusal, { attempts: after });
  tick.wait(refusal);
}

/** Waits for gas only after an operator's release, because only operators send gas. */
function waitForGas(tick: Tick, attempts: Attempts) {
  if (tick.execution.releasedAt === null) return endDelivery(tick, NO_GAS);
  const nextAtMs = tick.nowMs + GAS_CHECK_MS;
  tick.note(NO_GAS, { attempts: { ...attempts, nextAtMs, refusal: NO_GAS } });
  tick.wait(NO_GAS);
}

/** Ends a token's delivery: starts the next token's, or the return. @param heldReason why tokens are held; null if none are */
function endDelivery(tick: Tick, heldReason: string | null): void {
  const { heldReason: before, otherTokens = [] } = tick.execution;
  const reason = heldReason === null ? before : addReason(before, heldReason);
  if (otherTokens.length > 0) {
    const change = { otherTokens: otherTokens.slice(1), attempts: null, heldReason: reason };
    tick.note(heldReason ?? 'another token is sent', change);
    deliver(tick);
    return;
  }
  tick.add({
    kind: 'enterPhase',
    reason: heldReason ?? 'nothing is left to deliver',
    phase: 'return',
    change: {
      phase: 'return',
      attempts: null,
      heldReason: reason,
    },
    ...(heldReason !== null && { log: { level: 'error', message: 'bought tokens held', fields: { heldReason } } }),
  });
}

/** Returns the reason why tokens are still in the wallet after the last attempt. */
function reasonAfter(tried: readonly TransactionRecord[]): string {
  const last = tried.at(-1);
  return last && wasReverted(last)
    ? 'the token reverted its delivery'
    : 'the token was delivered and is still in the wallet';
}
