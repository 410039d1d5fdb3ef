import type { Address } from 'viem';
import { quoted } from '../file/quoted.ts';
import type { SignedTransfer } from '../file/receipt-file.ts';
import { agreement, notAgreed } from './agreement-rules.ts';
import { owedToOthers } from './entitlements.ts';
import { type Check, type Evidence, hype } from './evidence.ts';
import { balance, delivery, fee, moneyIn, returns, sums } from './money-rules.ts';
import { dearestPrice, onlyBuys, priceBand } from './order-rules.ts';
import { bestPrice, bestPriceSentences, uncheckedPrices } from './price-rules.ts';
import { bought, purpose } from './purpose-rules.ts';
import { ending, gasPrice, pauses, schedule, secondsOf, UNSENDABLE_WEI } from './schedule-rules.ts';
import { rulesKnown, service, unknownRouters } from './service-rules.ts';
import { oneWallet, sameChain } from './wallet-rules.ts';
import { wideLimits } from './wide-limits.ts';

/** HyperEVM's mainnet; only its HYPE has value. Source: hyperevm § 1. */
const MAINNET = 999;

/** Makes sentences of a verdict; none where they do not apply to the receipt. */
type Wording = (evidence: Evidence) => Iterable<string>;

/** A claim that the chain or this build checks. */
interface CheckedClaim {
  /** Finds breaches. It may rely on the checks above it. */
  readonly check: Check;
  /** What no breach proves. It repeats no statement of the service. */
  readonly proven?: Wording;
  /** Begins the verdict. */
  readonly first?: Wording;
  /** Says whose job it is. */
  readonly service?: Wording;
  /** The questions that the check leaves open. */
  readonly open?: Wording;
  readonly said?: never;
}

/** A claim without a check: the verdict repeats it only as a statement of the service. */
interface SaidClaim extends Partial<Record<Exclude<keyof CheckedClaim, 'said'>, never>> {
  /** The text after "The service says that ". */
  readonly said: Wording;
}

type Claim = CheckedClaim | SaidClaim;

/**
 * Every claim of a receipt, with its check and its sentences: no other sentence is in a verdict. Names of checked claims are stable
 * ids for programs.
 */
export const CLAIMS: Readonly<Record<string, Claim>> = {
  rules: { check: rulesKnown },
  chain: {
    check: sameChain,
    *proven({ receipt: { chainId, asOf } }) {
      yield asOf === null
        ? `The chain is ${chainId}.`
        : `The chain is ${chainId}, and it has block ${asOf.blockNumber}, the newest in the receipt.`;
    },
    *open({ receipt: { chainId } }) {
      if (chainId !== MAINNET) yield `Whether the amounts have any value: chain ${chainId} is not HyperEVM's mainnet.`;
    },
  },
  wallet: {
    check: oneWallet,
    *proven({ receipt, listed, isCurrent }) {
      yield isCurrent
        ? `One wallet: ${receipt.wallet} has sent ${listed.length} transactions in total, and the receipt explains each.`
        : `One wallet: the receipt explains the first ${listed.length} transactions that ${receipt.wallet} has sent.`;
    },
    *open({ receipt, facts, isCurrent, listed }) {
      if (!isCurrent)
        yield `What the wallet did after this interim receipt: ${facts.wallet.nonce - listed.length} more transactions. Ask for a newer one.`;
      else if (receipt.state === 'interim')
        yield 'How the job ends: the receipt is interim. Ask for a newer one after its end.';
    },
  },
  service: {
    check: service,
    *proven({ namedService }) {
      if (!namedService) return;
      const { host, identity } = namedService;
      yield `${host} names the keys that signed the agreement, and the treasury.${identity ? ` Its identity ${identity} signed these names.` : ''}`;
    },
    *open(evidence) {
      if (evidence.namedService) return;
      for (const { kind, succeeded, to, amount } of evidence.receipt.transfers) {
        if (kind === 'fee' && succeeded)
          yield `Whether ${to}, to which the fee of ${hype(BigInt(amount))} went, is the treasury of the service.`;
      }
    },
  },
  money_in: {
    check: moneyIn,
    *proven({ receipt: { payer, rules } }) {
      const paid = hype(BigInt(rules.paidWei));
      yield payer === null
        ? `The job was paid with ${paid}, but not by the transfers of a single sender.`
        : `The job was paid with ${paid} by ${payer} alone.`;
    },
    *open(evidence) {
      const untracedWei = untraced(evidence);
      if (untracedWei > 0n)
        yield `Who sent ${hype(untracedWei)}: the receipt names no transaction of this money. The sums prove the amount.`;
    },
  },
  fee: {
    check: fee,
    *proven({ receipt, rules }) {
      const paid = receipt.transfers.find(({ kind, succeeded }) => kind === 'fee' && succeeded);
      yield paid
        ? `The fee is ${rules.feePercent} % of the payment, sent once: ${hype(BigInt(paid.amount))} to ${paid.to}.`
        : 'No fee was taken, and no order was placed.';
    },
  },
  only_buys: {
    check: onlyBuys,
    *proven(evidence) {
      const { token, orders, sums: reported } = evidence.receipt;
      const filled = orders.filter(({ result }) => result === 'filled');
      const known = filled.flatMap((order) => evidence.purchase(order)?.venue?.id ?? []);
      const names = [...new Set(known)].sort().join(', ');
      const brought = evidence.tokens(BigInt(reported.boughtTokens));
      const where = `; ${known.length} of them used pools that the factories of exchanges name (${names})`;
      yield `Only buys: ${filled.length} purchases (by their calls) brought ${brought} of ${token.address}${known.length > 0 ? where : ''}. None of these tokens was sold.`;
    },
    *open(evidence) {
      for (const [router, count] of unknownRouters(evidence))
        yield `Whether ${count} orders bought from an exchange: they went to ${router}, which is not known to this verifier. Such a contract can keep the money.`;
    },
  },
  best_price: { check: bestPrice, proven: bestPriceSentences, open: uncheckedPrices },
  gas_price: {
    check: gasPrice,
    *proven({ rules: { orderGasPriceWei } }) {
      yield `Gas: no order paid more than ${Number(orderGasPriceWei) / 1e9} gwei.`;
    },
  },
  schedule: {
    check: schedule,
    *proven({ receipt: { rules } }) {
      yield `Schedule: no faster than one standard order every ${secondsOf(rules.slotMs)} s.`;
    },
    open: wideLimits,
  },
  price_band: {
    check: priceBand,
    *proven(evidence) {
      const dearest = dearestPrice(evidence);
      yield dearest === undefined
        ? 'Price: no order brought tokens.'
        : `Price: no order paid more than ${evidence.price(dearest)}.`;
    },
    *open(evidence) {
      const dearest = dearestPrice(evidence);
      if (!evidence.terms && dearest !== undefined)
        yield `Whether you saw this price: compare ${evidence.price(dearest)}, the highest price of an order, with the price on your own page.`;
    },
  },
  pauses: { check: pauses },
  delivery: {
    check: delivery,
    *proven(evidence) {
      const sent = sentTo(evidence, 'delivery', (amount) => evidence.tokens(amount));
      yield sent === '' ? 'Nothing was delivered yet.' : `Delivered: ${sent}.`;
    },
    *open(evidence) {
      const { receipt, recipients, terms } = evidence;
      for (const [to, { wei, tokens }] of otherRecipients(evidence)) {
        if (terms && recipients.includes(to)) continue;
        const received = `it received ${evidence.tokens(tokens)} and ${hype(wei)}`;
        yield to === receipt.returnAddress && receipt.releasedAt === null
          ? `Whether the payer named ${to} as the return address: ${received}.`
          : `Whether ${to} belongs to the payer: ${received}.`;
      }
    },
  },
  returns: {
    check: returns,
    *proven(evidence) {
      const rest = sentTo(evidence, 'return', hype);
      const refunds = sentTo(evidence, 'refund', hype);
      const other = refunds === '' ? '' : `; of deposits that pay for no order, ${refunds}`;
      yield `Returned: ${rest === '' ? 'nothing yet' : rest}${other}.`;
    },
  },
  sums: {
    check: sums,
    *proven({ receipt: { sums: reported } }) {
      yield `Every wei is explained: ${hype(BigInt(reported.depositsWei))} = fee ${hype(BigInt(reported.feeWei))} + orders ${hype(BigInt(reported.tradedWei))} + gas ${hype(BigInt(reported.gasWei))} + returned ${hype(BigInt(reported.returnedWei) + BigInt(reported.refundedWei))} + left ${hype(BigInt(reported.leftWei))}.`;
    },
  },
  purpose: {
    check: purpose,
    first: bought,
    *proven({ receipt, split }) {
      yield `Orders spent ${hype(BigInt(receipt.sums.tradedWei))} of the order budget of ${hype(split.orderBudgetWei)}, which also pays for expensive gas.`;
    },
  },
  ending: {
    check: ending,
    *open(evidence) {
      if (evidence.receipt.state === 'final') yield* keptBack(evidence);
    },
  },
  balance: {
    check: balance,
    *proven({ isCurrent, facts }) {
      if (isCurrent)
        yield `The wallet holds ${hype(facts.wallet.balanceWei)} now, which covers the amount that the receipt lists as left.`;
    },
    *open(evidence) {
      if (evidence.isCurrent) yield* inWallet(evidence);
    },
  },
  agreement: {
    check: agreement,
    first: notAgreed,
    *service({ receipt, namedService, agreed: { signers } }) {
      if (!receipt.agreement) yield 'A job of an unknown service.';
      else if (!namedService)
        yield `An unknown service agreed to this job: ${signers.join(' and ')} signed the agreement. Name the site of your service.`;
      else yield `${namedService.host} agreed to this job.`;
    },
    *proven({ terms }) {
      if (terms)
        yield `The job is as agreed: token ${terms.agreement.tokenAddress}, payment until ${terms.agreement.deadline}, return to ${terms.returnAddress ?? 'the payer'}, a price band of ${terms.agreement.bandBps / 100} % and a slippage limit of ${terms.agreement.slippageBps / 100} %.`;
    },
  },
  names: {
    *said({ receipt: { jobId, token } }) {
      yield `this is job ${quoted(jobId)}, and that the token is called ${quoted(token.symbol)}.`;
    },
  },
  plan: {
    *said({ receipt: { rules, orders }, terms }) {
      if (terms || orders.length === 0) return;
      const ends = rules.tradingEndsAt === null ? 'no end of trading' : `an end of trading at ${rules.tradingEndsAt}`;
      const latest = rules.latestEndAt === null ? 'no latest end' : `a latest end at ${rules.latestEndAt}`;
      yield `it published one standard order every ${rules.slotMs} ms, ${ends}, ${latest}, a price band of ${rules.bandBps / 100} % and a slippage limit of ${rules.slippageBps / 100} %.`;
    },
  },
  seen_price: {
    *said(evidence) {
      const { seenPriceX96, bandBps } = evidence.receipt.rules;
      if (!evidence.terms && seenPriceX96 !== null)
        yield `you saw ${evidence.price(BigInt(seenPriceX96))} before you paid, and that no order was placed more than ${bandBps / 100} % above it.`;
    },
  },
  return_address: {
    *said({ terms, receipt: { returnAddress, payer } }) {
      if (!terms && returnAddress !== null && returnAddress !== payer) yield `${returnAddress} is the return address.`;
    },
  },
  untraced: {
    *said(evidence) {
      const untracedWei = untraced(evidence);
      if (untracedWei > 0n)
        yield `${hype(untracedWei)} came without a plain transfer: from a contract or from HyperCore.`;
    },
  },
  quotes: {
    *said(evidence) {
      const { orders } = evidence.receipt;
      const sum = (of: 'quotedTokens' | 'minimumTokens' | 'tradeWei') =>
        orders.reduce((total, order) => total + BigInt(order[of]), 0n);
      if (orders.length > 0)
        yield `exchanges quoted ${evidence.tokens(sum('quotedTokens'))} in total for orders of ${hype(sum('tradeWei'))}; the calls of the orders asked for at least ${evidence.tokens(sum('minimumTokens'))}.`;
    },
  },
  paused: {
    *said({ receipt }) {
      for (const { reason, from, to } of receipt.pauses)
        yield `the job paused from ${from} to ${to ?? 'now'}: ${quoted(reason)}. No order was mined in the pause, except in its first three minutes.`;
    },
  },
  ended: {
    *said({ receipt }) {
      const { ending: told } = receipt;
      if (told) yield `the job ended at ${told.at} (${quoted(told.kind)}): ${quoted(told.message)}.`;
    },
  },
  held: {
    *said({ receipt: { heldReason } }) {
      if (heldReason !== null) yield `HYPE or tokens stay in the wallet for this reason: ${quoted(heldReason)}.`;
    },
  },
  released: {
    *said({ receipt: { releasedAt } }) {
      if (releasedAt !== null) yield `operators released held money at ${releasedAt}.`;
    },
  },
};

/** Deposits without a transaction that names amount and sender, wei. */
function untraced({ receipt: { deposits } }: Evidence): bigint {
  const untracedDeposits = deposits.filter(({ kind }) => kind === 'untraced');
  return untracedDeposits.reduce((total, { amountWei }) => total + BigInt(amountWei), 0n);
}

/** Formats the amounts by recipient; empty if nothing was sent. */
function sentTo({ receipt }: Evidence, of: SignedTransfer['kind'], written: (amount: bigint) => string): string {
  const sent = new Map<string, bigint>();
  for (const { kind, succeeded, to, amount } of receipt.transfers) {
    if (succeeded && kind === of) sent.set(to, (sent.get(to) ?? 0n) + BigInt(amount));
  }
  const named = (to: string) => (to === receipt.payer ? `${to}, the payer` : to);
  return [...sent].map(([to, amount]) => `${written(amount)} to ${named(to)}`).join('; ');
}

/** Amounts by recipient other than the payer: only the payer knows the owners of these addresses. */
function otherRecipients({
  receipt,
}: Evidence): ReadonlyMap<Address, { readonly wei: bigint; readonly tokens: bigint }> {
  const got = new Map<Address, { wei: bigint; tokens: bigint }>();
  for (const { kind, succeeded, to, amount } of receipt.transfers) {
    if (!succeeded || to === receipt.payer || (kind !== 'delivery' && kind !== 'return')) continue;
    const before = got.get(to) ?? { wei: 0n, tokens: 0n };
    if (kind === 'return') got.set(to, { ...before, wei: before.wei + BigInt(amount) });
    else got.set(to, { ...before, tokens: before.tokens + BigInt(amount) });
  }
  return got;
}

/** Deposits of other senders for no order that were not refunded, and money that stays in the wallet. */
function* keptBack(evidence: Evidence): Generator<string> {
  const { receipt, keptTokens } = evidence;
  const leftWei = BigInt(receipt.sums.leftWei);
  const owed = owedToOthers(evidence);
  const sumWei = [...owed.values()].reduce((sum, wei) => sum + wei, 0n);
  if (sumWei > leftWei && sumWei - leftWei > UNSENDABLE_WEI) {
    const senders = [...owed.keys()].join(', ');
    yield `Why ${hype(sumWei - leftWei)} from ${senders} for no order did not go back there: this amount went with the rest.`;
  }
  if (leftWei > UNSENDABLE_WEI)
    yield `Whether ${hype(leftWei)} had to stay in the wallet: this amount is there, and only operators can release it.`;
  if (keptTokens > 0n && receipt.heldReason !== null)
    yield `Whether ${evidence.tokens(keptTokens)} had to stay in the wallet.`;
}

/** What the wallet holds now beside the receipt, and what it lacks. */
function* inWallet(evidence: Evidence): Generator<string> {
  const { receipt, facts, missingTokens } = evidence;
  const surplusWei = facts.wallet.balanceWei - BigInt(receipt.sums.leftWei);
  if (surplusWei > 0n) yield `Where ${hype(surplusWei)} came from: it is in the wallet, but not in the receipt.`;
  if (facts.tokenDecimals === null)
    yield 'How many decimals the token has: it does not answer, so amounts are in its smallest unit.';
  if (facts.wallet.tokens === null) yield 'How many tokens the wallet holds: the token does not answer.';
  if (missingTokens > 0n)
    yield `Where ${evidence.tokens(missingTokens)} are: they were bought and not delivered, the wallet does not hold them, and no event of the token shows their transfer. The token kept or took them itself.`;
  const extra = BigInt(receipt.sums.deliveredTokens) - BigInt(receipt.sums.boughtTokens);
  if (extra > 0n) yield `Where ${evidence.tokens(extra)} came from: they were delivered, but the job did not buy them.`;
}
