import { type ErrorMeaning, meaningOf, RPC_METHODS, type RpcMethod } from '@maker/chain';
import { formatGwei } from 'viem';
import { blockIn, type EndpointAnswers, type PollAnswer, type ShownBlock } from '../gather/endpoint-answers.ts';
import { fail, type Line, ok, weak } from '../report.ts';
import { type Answer, AnswerError, wordsOf } from '../request/answer.ts';

/** Source: design § 4. */
const GUARDRAIL_WEI = 10_000_000_000n;

/** Gas of a big block. Source: hyperevm § 1. */
const BIG_BLOCK_GAS = 30_000_000n;

/** Age at which a head counts as late, ms. */
const LATE_MS = 30_000;

/** Maximum gas of a token's trial and of a full poll. */
const TRIAL_GAS = 3_000_000n;
const POLL_GAS = 8_000_000n;

/** Addresses that one request reads by creation code and by Multicall3, with some margin. Source: docs/adr/0025. */
const BY_PROGRAM = 2000;
const BY_MULTICALL = 250;

/** Most blocks that a call's state may be behind the head, which was read shortly before. */
const MOST_BLOCKS_BEHIND = 3;

const SYSTEM_SENDERS = /^0x(2222222222222222222222222222222222222222|20[0-9a-f]{38})$/i;

/** Judges the answers of an endpoint of the right chain. */
export function judgeEndpoint(answers: EndpointAnswers): readonly Line[] {
  return [
    ...judgeMethods(answers.methods),
    judgeHead(answers.latest),
    judgeAboveHead(answers.aboveHead),
    judgeHistory(answers.dayAgo, answers.hourAgo),
    ...judgeDeployless(answers.callGas),
    judgeCallBlock(answers.callBlock, answers.latest),
    judgePoll(answers.poll),
    judgeReceipts(answers.full, answers.receipts),
    judgeSystemTransactions(answers.methods.get('eth_getSystemTxsByBlockNumber'), answers.full),
    judgeBigBlocks(answers.headers),
  ];
}

/** Judges the chain id of an endpoint. */
export function judgeChainId(answer: Answer, expected: number): Line {
  const left = 'this endpoint is left out';
  if (!('result' in answer)) return { ...fail('chain id', wordsOf(answer), left), setsAside: true };
  const actual = Number(answer.result);
  if (actual === expected) return ok('chain id', String(actual));
  return { ...fail('chain id', `${actual}, not ${expected}`, left), setsAside: true };
}

const WORD = /^0x[0-9a-f]{64}$/i;

function judgeMethods(methods: EndpointAnswers['methods']): readonly Line[] {
  const wrong = RPC_METHODS.flatMap((method) => {
    const answer = methods.get(method.method);
    const problem = answer && problemOf(method, answer);
    return problem === undefined ? [] : [{ method, problem }];
  });
  if (wrong.length === 0) {
    const times = [...methods.values()].map(({ ms }) => ms).sort((one, other) => one - other);
    return [ok('methods', `all ${RPC_METHODS.length} answered, ${times[times.length >> 1]} ms`)];
  }
  return wrong.map(({ method: { method, without, needed }, problem }) =>
    needed ? fail(method, problem, without) : weak(method, problem, without),
  );
}

/** Errors which show that the method exists but refuses these parameters. */
const REFUSALS: ReadonlySet<ErrorMeaning> = new Set([
  'refused',
  'unclear',
  'known',
  'nonce_used',
  'underpriced',
  'unfunded',
  'too_large',
  'reverted',
]);

function problemOf({ method }: RpcMethod, answer: Answer): string | undefined {
  if ('result' in answer) return undefined;
  const meaning = meaningOf(new AnswerError(answer));
  if (meaning === 'not_there' && ['eth_getTransactionByHash', 'eth_getTransactionReceipt'].includes(method))
    return undefined;
  if (method === 'eth_sendRawTransaction' && !isMissing(answer) && (REFUSALS.has(meaning) || meaning === 'unsupported'))
    return undefined;
  return wordsOf(answer);
}

function isMissing(answer: Answer): boolean {
  return (
    'error' in answer &&
    (answer.error.code === -32_601 || /method.*not (found|available|supported|allowed)/i.test(answer.error.message))
  );
}

function judgeHead(latest: Answer): Line {
  const block = blockIn(latest);
  if (!block) return fail('newest block', wordsOf(latest), 'no payment is detected');
  const number = Number(block.number);
  const lateMs = latest.atMs - Number(block.timestamp) * 1000;
  const feeWei = BigInt(block.baseFeePerGas);
  const answer = `${number}, ${Math.max(0, Math.round(lateMs / 1000))} s old, base fee ${formatGwei(feeWei)} gwei`;
  if (lateMs > LATE_MS)
    return { ...fail('newest block', answer, 'the head is late: payments are detected late'), setsAside: true };
  if (feeWei > GUARDRAIL_WEI) return weak('newest block', answer, 'orders wait until it is at most 10 gwei');
  return ok('newest block', answer);
}

function judgeAboveHead(answer: Answer): Line {
  if ('result' in answer) {
    if (answer.result === null) return ok('block above the head', 'null');
    return fail('block above the head', 'a block', 'the scan would process it as the next one');
  }
  if (meaningOf(new AnswerError(answer)) === 'not_there') return ok('block above the head', wordsOf(answer));
  return fail('block above the head', wordsOf(answer), 'counts as a fault whenever the scan reaches the head');
}

function judgeHistory(dayAgo: Answer, hourAgo: Answer): Line {
  const day = blockIn(dayAgo);
  if (day) return ok('kept blocks', Number(day.number) === 1 ? 'all' : 'a day and more');
  const hour = blockIn(hourAgo);
  if (hour)
    return weak('kept blocks', 'an hour, less than a day', 'after a longer outage, only balances show payments');
  return weak('kept blocks', 'less than an hour', 'after an outage, only balances show payments');
}

function judgeDeployless(answer: Answer): readonly Line[] {
  const what = 'call without recipient';
  if (!('result' in answer)) {
    return [weak(what, wordsOf(answer), 'polls and trials go through Multicall3, at five times the requests')];
  }
  const returned = String(answer.result);
  if (!WORD.test(returned)) {
    return [fail(what, `answered ${returned.slice(0, 30)}`, 'balances and trials of tokens would be wrong')];
  }
  return [ok(what, 'answered'), judgeCallGas(BigInt(returned))];
}

function judgeCallGas(gas: bigint): Line {
  const shown = gas.toLocaleString('en-US');
  if (gas < TRIAL_GAS) return fail('gas of a call', shown, 'no token can be tried');
  if (gas < POLL_GAS) return weak('gas of a call', shown, 'a poll takes more requests');
  return ok('gas of a call', shown);
}

function judgeCallBlock(answer: Answer, latest: Answer): Line {
  const what = 'Multicall3';
  const lost = 'no pool is found and nothing is quoted';
  if (!('result' in answer)) return fail(what, wordsOf(answer), lost);
  const returned = String(answer.result);
  if (!WORD.test(returned)) return fail(what, 'not there', lost);
  const behind = Number(blockIn(latest)?.number ?? 0) - Number(BigInt(returned));
  if (behind > MOST_BLOCKS_BEHIND)
    return fail(what, `reads the state of ${behind} blocks ago`, 'payments and prices are detected late');
  return ok(what, 'reads the newest state');
}

function judgePoll(poll: PollAnswer): Line {
  if ('refusal' in poll)
    return fail('poll of balances', poll.refusal, 'money from contracts and HyperCore is not detected');
  const { addressesPerCall } = poll;
  const answer = `${addressesPerCall} addresses a request`;
  if (addressesPerCall >= BY_PROGRAM) return ok('poll of balances', answer);
  if (addressesPerCall >= BY_MULTICALL) return weak('poll of balances', answer, 'more requests with many open jobs');
  return weak('poll of balances', answer, 'enough for a few hundred open addresses, on no public endpoint');
}

interface ShownReceipt {
  readonly transactionHash: string;
  readonly blockHash: string;
}

function judgeReceipts(full: Answer, answer: Answer): Line {
  const block = blockIn(full);
  const what = 'block receipts';
  if (!('result' in answer)) return fail(what, wordsOf(answer), 'no order is seen as mined');
  const receipts = answer.result as readonly ShownReceipt[] | null;
  if (!receipts) return fail(what, 'no list', 'no order is seen as mined');
  const missing = transactionsOf(block).filter(
    ({ hash }) => !receipts.some(({ transactionHash }) => transactionHash === hash),
  );
  if (missing.length > 0)
    return fail(what, `${missing.length} of a block's are missing`, 'orders that were mined seem lost');
  if (receipts.some(({ blockHash }) => blockHash !== block?.hash)) {
    return fail(what, 'not those of the block', 'the result of an order is unknown');
  }
  return ok(what, `${receipts.length}, as many as transactions`);
}

function judgeSystemTransactions(listed: Answer | undefined, full: Answer): Line {
  const what = 'system transactions';
  const shown = transactionsOf(blockIn(full)).filter(
    ({ from, gasPrice }) => SYSTEM_SENDERS.test(from) && BigInt(gasPrice ?? 0) === 0n,
  );
  const where = shown.length > 0 ? 'included in blocks' : 'not in blocks';
  if (!listed || !('result' in listed))
    return weak(what, `${where}, not listed`, 'money from HyperCore is credited by its balance');
  return ok(what, `${where}, listed by block`);
}

function judgeBigBlocks(headers: readonly Answer[]): Line {
  const blocks = headers.flatMap((answer) => blockIn(answer) ?? []);
  const big = blocks.find(({ gasLimit }) => BigInt(gasLimit) >= BIG_BLOCK_GAS);
  const small = blocks.find(({ gasLimit }) => BigInt(gasLimit) < BIG_BLOCK_GAS);
  if (big && small) return ok('big blocks', `gas limit ${millions(big)}, small ones have ${millions(small)}`);
  const seen = blocks[0] ? `none around the minute, gas ${millions(blocks[0])}` : 'no headers';
  return weak('big blocks', seen, 'if they look like small ones, the product uses their base fee');
}

function millions({ gasLimit }: ShownBlock): string {
  return `${Number(BigInt(gasLimit)) / 1e6} M`;
}

function transactionsOf(block: ShownBlock | undefined) {
  return block?.transactions.filter((transaction) => typeof transaction !== 'string') ?? [];
}
