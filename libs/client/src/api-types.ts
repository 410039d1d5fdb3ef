// A script writes this file from the OpenAPI document: run `npm run docs:reference` after a change.

/** Code of a refusal; `docs/errors.md` says what to do for each. */
export type ErrorCode =
  | 'AGREEMENT_INVALID'
  | 'AMOUNT_OUT_OF_RANGE'
  | 'FORBIDDEN'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'INTERNAL'
  | 'INVALID_REQUEST'
  | 'JOB_NOT_FOUND'
  | 'NOT_POSSIBLE_NOW'
  | 'NO_CAPACITY'
  | 'OVERLOADED'
  | 'PAYLOAD_TOO_LARGE'
  | 'PRICE_UNCONFIRMED'
  | 'RETURN_ADDRESS_IS_CONTRACT'
  | 'RETURN_ADDRESS_REFUSED'
  | 'SERVICE_TIMEOUT'
  | 'SERVICE_UNAVAILABLE'
  | 'TOKEN_NOT_TRADABLE'
  | 'TOO_MANY_OPEN_JOBS'
  | 'TOO_MANY_REQUESTS'
  | 'UNAUTHORIZED'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'XPUB_MISMATCH';

/** Amount in wei, or in the smallest unit of the token, as a decimal string. */
export type Amount = string;

/** Time as ISO 8601 in UTC. */
export type Time = string;

/** Id of the job. */
export type JobId = string;

/** Hash of a transaction or block. */
export type Hash = string;

/** Price in wei for the smallest unit of the token, times 2^96, as a decimal string. */
export type PriceX96 = string;

/** Body of `POST /validate-token`. */
export interface TokenRequest {
  /** EVM address, in any case. */
  tokenAddress: string;
}

/** Answer of `POST /validate-token`. */
export interface TokenValidation {
  /** Whether a job for this token is accepted. */
  isValid: boolean;
  /** Why the token is invalid, in a sentence for the visitor. */
  errorMessage?: string;
  /** Stable name of the reason, such as `FEE_ON_TRANSFER`. */
  reason?:
    | 'NOT_A_CONTRACT'
    | 'NOT_A_TOKEN'
    | 'BELOW_MINIMUM_LIQUIDITY'
    | 'UNSUPPORTED_POOL'
    | 'FEE_ON_TRANSFER'
    | 'CANNOT_BUY'
    | 'CANNOT_SELL'
    | 'CANNOT_TRANSFER';
  /** Pools of the token. */
  liquidityStatus: {
    /** Whether some pool has the minimum liquidity. */
    meetsMinimum: boolean;
    /** Whether a pool of a V2 exchange exists. */
    hasV2: boolean;
    /** Whether a pool of a V3 exchange exists. */
    hasV3: boolean;
    /** Exchange where a standard order costs least with gas, such as 'hyperswap-v3'; absent if there is none. */
    selectedDex?: string;
    /** HYPE side of the best pool, in HYPE, for display only. */
    v2LiquidityHype?: number;
    /** HYPE side of the best V3 pool, in HYPE, for display only. */
    v3LiquidityHype?: number;
    /** `v2LiquidityHype` exactly, in wei. */
    v2LiquidityWei?: Amount;
    /** `v3LiquidityHype` exactly, in wei. */
    v3LiquidityWei?: Amount;
  };
  /** The token. */
  token?: {
    /** Symbol of the token. */
    symbol: string;
    /** Name of the token. */
    name: string;
    /** Decimals of the token. */
    decimals: number;
  };
  /** Block at which the chain was read. Its time decides whether a payment is in time. Source: design § 4. */
  checkedAtBlock: {
    /** Number of the block. */
    number: number;
    at: Time;
  };
}

/** Body of `POST /plan`. */
export interface PlanRequest {
  /** EVM address, in any case. */
  tokenAddress: string;
  /** In HYPE: a number with at most 9 decimals, or a decimal string with at most 18. */
  paymentAmount: number | string;
}

/** What a job will do. */
export interface JobPlan {
  /** Deposit that the plan is calculated for: the chosen budget, or the counted payment after activation. */
  depositWei: Amount;
  feeWei: Amount;
  /** Part of the deposit for orders. */
  orderBudgetWei: Amount;
  /** Part of the deposit for gas. */
  reserveWei: Amount;
  /** The orders. */
  orders: {
    /** Number of orders. */
    count: number;
    /** Amount that one order spends. */
    sizeWei: Amount;
    /** Number of standard orders that one order replaces. */
    merged: number;
    /** Time between two orders, ms. */
    intervalMs: number;
  };
  /** Time between two standard orders, ms. */
  slotMs: number;
  startsAt: Time;
  /** Time of the last order, if nothing pauses the job. */
  expectedEndAt: Time;
  /** The job places no order after this time. */
  tradingEndsAt: Time;
  /** By then everything is delivered and returned, or held with a reason. */
  latestEndAt: Time;
  /** Part of the order budget that the pools accept within the price band, less gas that the budget pays. */
  spendableWei: Amount;
  /** Amount at which the token refuses, about; present if a trial shows this below `spendableWei`. */
  tokenTakesWei?: Amount;
  /** What the orders buy. */
  purchase: {
    /** Exchange of the first order, such as 'hyperswap-v3'. */
    exchange: string;
    /** Price from which the band is measured: wei for one smallest unit of the token, with the pool fee, times 2^96. */
    seenPriceX96: PriceX96;
    /** Expected tokens, in the smallest unit. */
    tokens: Amount;
    /** How much more one order costs than the first unit, in basis points. */
    orderImpactBps: number;
    /** How much more all orders cost on average than the first unit, in basis points. */
    impactBps: number;
    /** How far the price has risen at the last order, in basis points. */
    priceRiseBps: number;
  };
  /** Gas of all transactions, in parts. */
  gas: {
    ordersWei: Amount;
    /** Gas of the fee, the delivery and the return. */
    transfersWei: Amount;
    fromReserveWei: Amount;
    fromBudgetWei: Amount;
  };
  /** Unspent budget and reserve, which are returned. */
  returnedWei: Amount;
  /** Limits of the trading. */
  limits: {
    /** Slippage in basis points. */
    slippageBps: number;
    /** Most that one order may move the price, in basis points. */
    impactCapBps: number;
    /** Band of prices in which the job trades, in basis points. */
    bandBps: number;
    /** Most gas that all jobs together use in any minute. Absent: no limit. */
    minuteGas?: number;
  };
  /** What a visitor should know before paying. */
  warnings: (
    | 'too_small_for_one_order'
    | 'no_pool'
    | 'no_capacity'
    | 'pool_takes_only_part'
    | 'token_limits_holdings'
    | 'token_limits_purchases'
    | 'longer_than_window'
    | 'gas_above_guardrail'
    | 'fewer_orders_than_estimated'
    | 'only_one_pool'
  )[];
  /** Market state that the plan assumes. */
  assumes: {
    /** Base fee and priority fee together, wei per gas. */
    gasPriceWei: Amount;
    /** Block at which the pools were read. */
    block: {
      /** Number of the block. */
      number: number;
      at: Time;
    };
  };
  /** The token. */
  token: {
    /** Symbol of the token. */
    symbol: string;
    /** Decimals of the token. */
    decimals: number;
  };
}

/** Body of `POST /jobs/create`. */
export interface CreateJobRequest {
  /** EVM address, in any case. */
  tokenAddress: string;
  /** In HYPE: a number with at most 9 decimals, or a decimal string with at most 18. */
  paymentAmount: number | string;
  /** Where bought tokens and unspent HYPE go. Without it: to the sender of a plain transfer. */
  returnAddress?: string;
  /** True: the payer knows that the address is a contract. Otherwise a contract is refused with `RETURN_ADDRESS_IS_CONTRACT`. */
  returnAddressIsContract?: boolean;
  /** Your own references to the job, up to 20. Answers about the job and each message of webhooks repeat them. Everyone with the job id can read them. */
  metadata?: Record<string, string>;
  /** Hash of a stop secret that you made. Then you alone know the secret, and no answer has it. */
  stopSecretHash?: string;
}

/** What a job is created for, signed by the service. */
export interface SignedAgreement {
  /** The signed terms. */
  agreement: {
    /** Job id. */
    jobId: string;
    /** Chain of the job. */
    chainId: number;
    /** Payment address of the job. */
    wallet: string;
    /** EVM address, in any case. */
    tokenAddress: string;
    amountWei: Amount;
    /** Least payment that starts the job by itself. */
    leastWei: Amount;
    /** Deadline of the payment. */
    deadline: Time;
    /** Null: tokens and unspent HYPE go to the payer. */
    returnAddress: string | null;
    seenPriceX96: PriceX96;
    /** Band of prices in which the job trades, in basis points. */
    bandBps: number;
    /** Slippage limit, in basis points. */
    slippageBps: number;
    /** Most that one order may move the price, in basis points. */
    impactCapBps: number;
    latestEndAt: Time;
    /** Hash of the stop secret. */
    stopSecretHash: string;
    /** Hash of the idempotency key with the name of the API key: it binds the answer to its request. */
    claim: string;
    createdAt: Time;
  };
  /** 65 bytes, by the key of agreements. */
  signature: string;
}

/** Answer of `POST /jobs/create`. */
export interface CreatedJob {
  jobId: JobId;
  /** Wallet of the job, to which the payer sends HYPE. EIP-55 checksummed. */
  paymentAddress: string;
  /** In HYPE. */
  paymentAmount: number;
  paymentAmountWei: Amount;
  paymentDeadline: Time;
  /** What the job will do after its payment. */
  plan?: JobPlan;
  /** Your own references to the job, up to 20. Answers about the job and each message of webhooks repeat them. Everyone with the job id can read them. */
  metadata?: Record<string, string>;
  /** What the job is created for, signed by the service. Keep it: it proves the address and the terms. */
  agreement?: SignedAgreement;
  /** Secret that stops the job. Keep it: the service has only its hash. A repeated request gets it again only if its Idempotency-Key is a UUID v4 or has as many random bits. Absent if you sent `stopSecretHash`. */
  stopSecret?: string;
}

/** Status of a job. */
export type JobStatus =
  | 'pending_payment'
  | 'active'
  | 'completed'
  | 'failed_liquidity'
  | 'failed_technical'
  | 'cancelled'
  | 'payment_expired';

/** A job of the list of an API key. */
export interface ListedJob {
  jobId: JobId;
  /** Status of the job. */
  status: JobStatus;
  /** Whether enough money arrived in time. */
  paymentReceived: boolean;
  /** Wallet of the job, to which the payer sends HYPE. */
  paymentAddress: string;
  /** In HYPE. */
  paymentAmount: number;
  paymentAmountWei: Amount;
  paymentDeadline: Time;
  /** Address of the token. */
  tokenAddress: string;
  createdAt: Time;
  activatedAt?: Time;
  endedAt?: Time;
  /** Why the job failed, in a sentence. */
  failureReason?: string;
  /** Your own references to the job, up to 20. Answers about the job and each message of webhooks repeat them. Everyone with the job id can read them. */
  metadata?: Record<string, string>;
}

/** Answer of `GET /jobs`. */
export interface JobPage {
  /** The jobs, newest first. A page with long metadata has fewer than `limit`. */
  jobs: ListedJob[];
  /** Cursor of the next page; absent on the last one. */
  next?: string;
}

/** Body of `POST /jobs/{jobId}/stop` and `/start`. */
export interface StopSecretRequest {
  /** Secret that stops the job. Only the answer of its creation has it. */
  stopSecret: string;
}

/** Answer of `POST /jobs/{jobId}/stop`. */
export interface StoppedJob {
  /** `active` until the tokens are delivered and the rest is returned. */
  status: JobStatus;
  /** What happens now, in a sentence. */
  outcome: string;
}

/** Answer of `POST /jobs/{jobId}/start`. */
export interface StartedJob {
  /** Status of the job. */
  status: JobStatus;
  /** Sum with which the job started: fee and plan are calculated from it. */
  amountWei: Amount;
}

/** Body of `POST /jobs/{jobId}/return-address`. */
export interface ReturnAddressRequest {
  /** Secret that stops the job. Only the answer of its creation has it. */
  stopSecret: string;
  /** EVM address that may receive money: in checksum case or in one case, and not a known dead end. */
  returnAddress: string;
  /** True: the payer knows that the address is a contract. Otherwise a contract is refused with `RETURN_ADDRESS_IS_CONTRACT`. */
  returnAddressIsContract?: boolean;
}

/** Answer of `POST /jobs/{jobId}/return-address`. */
export interface ReturnAddress {
  /** Where tokens and change go now. In lower case. */
  returnAddress: string;
  /** Present if the payment has arrived and its payer is unknown: an operator must confirm the address. */
  awaitsOperator?: true;
}

/** A token that a search found at the address of a job. */
export interface FoundToken {
  /** Contract of the token. */
  tokenAddress: string;
  /** In the smallest unit of the token. */
  amount: Amount;
  /** Symbol that the token names; empty if it names none. */
  symbol: string;
  /** Decimals of an amount; 0 if the token names none. */
  decimals: number;
}

/** Answer of `GET /jobs/{jobId}/payment`. */
export interface JobPayment {
  jobId: JobId;
  /** Status of the job. */
  status: JobStatus;
  /** Whether enough money arrived in time. */
  paymentReceived: boolean;
  /** Wallet of the job, to which the payer sends HYPE. */
  paymentAddress: string;
  /** In HYPE. */
  paymentAmount: number;
  paymentAmountWei: Amount;
  paymentDeadline: Time;
  /** Least sum that starts the job by itself: 99 % of the amount. A job service of an earlier release omits it. */
  leastPaymentWei?: Amount;
  /** Sum with which the holder of the stop secret may start the job now; absent if none. */
  startableWei?: Amount;
  /** Money that is in a block and waits for its confirmation; absent if there is none. */
  waitingWei?: Amount;
  /** Credited so far of money that arrived before the deadline. */
  receivedWei: Amount;
  /** Credited so far of money that arrived after the deadline. */
  lateWei: Amount;
  /** Credited money whose block left the chain: it counts only if it is mined again. Absent if there is none. */
  droppedWei?: Amount;
  /** HYPE that the last search found at the address on HyperCore: it pays for nothing, and an operator can send it back. Absent if none. */
  hyperCoreWei?: Amount;
  /** Transactions that paid for the job, oldest first. Absent before the payment, and if none is known. */
  depositTransactions?: {
    transactionHash: Hash;
    amountWei: Amount;
    /** Sender of a plain transfer; absent for money that a contract moved. */
    from?: string;
    /** Number of the block. */
    blockNumber?: number;
    minedAt?: Time;
  }[];
  /** Tokens at the address that the job did not buy: they pay for nothing, and operators can send them back. Absent if none. */
  foundTokens?: FoundToken[];
  /** Where tokens and change go, if the payer named an address; absent if they go to the wallet that pays. */
  namedReturnAddress?: string;
  /** Present if the payer is unknown: tokens and change are held until operators release them to an address. */
  payerUnknown?: true;
  /** Address that the holder of the private code proposes for held money. Operators check it and release by a signed command. */
  proposedReturnAddress?: string;
  /** Present while no endpoint of the chain answers: since then no block could be read. */
  chainUnreachableSince?: Time;
  /** Independent of each other and of the status. Source: design § 4 'Amounts'. */
  flags: {
    /** Some money arrived, and less than starts the job. */
    underpaid: boolean;
    /** More arrived than was agreed. */
    overpaid: boolean;
    /** Money arrived after the deadline. */
    late: boolean;
  };
}

/** A refund of money that pays for no order. */
export interface Refund {
  /** Amount that arrived. The recipient gets it less the gas of the transfer. */
  amountWei: Amount;
  /** `due`: on the way. `held`: for an operator, with `reason`. */
  status: 'due' | 'returned' | 'held';
  /** Recipient. */
  to?: string;
  /** Reason, in a sentence. */
  reason?: string;
  returnedWei?: Amount;
  transactionHash?: Hash;
}

/** Why an active job waits. */
export type PauseReason =
  | 'gas_guardrail'
  | 'price_band'
  | 'thin_liquidity'
  | 'purchase_refused'
  | 'capacity'
  | 'ledger_drift'
  | 'operator';

/** A transaction of a receipt that is not an order. */
export interface Transfer {
  /** What the transfer is for. */
  kind: 'fee' | 'delivery' | 'return';
  /** Status. */
  status: 'signed' | 'broadcast' | 'mined' | 'final' | 'failed';
  transactionHash: Hash;
  /** Recipient of the HYPE, or of the delivered tokens. */
  to: string;
  /** Wei for fee and return, smallest units of the token for delivery. */
  amount: Amount;
  gasWei: Amount;
  /** Number of the block. */
  blockNumber?: number;
  minedAt?: Time;
}

/** A period in which a job placed no order. */
export interface Pause {
  /** Why an active job waits. */
  reason: PauseReason;
  since: Time;
  /** Absent while the pause lasts. */
  until?: Time;
}

/** Orders and transfers of a job so far. */
export interface Receipt {
  depositWei: Amount;
  feeWei: Amount;
  orderBudgetWei: Amount;
  /** Orders that the schedule plans. */
  plannedOrders: number;
  /** Range of orders that the visitor saw. */
  estimate: {
    /** Lower bound. */
    lower: number;
    /** Upper bound. */
    upper: number;
  };
  /** Orders that were mined successfully. */
  ordersPlaced: number;
  /** Orders that were mined and bought nothing. */
  ordersFailed: number;
  /** Traded in pools by mined orders. */
  tradedWei: Amount;
  /** Gas of every transaction of the job. */
  gasWei: Amount;
  tokensBought: Amount;
  /** The token. */
  token: {
    /** Address of the token. */
    address: string;
    /** Symbol of the token. */
    symbol: string;
    /** Decimals of the token. */
    decimals: number;
  };
  /** Time between two orders, s. */
  intervalSeconds: number;
  nextOrderAt?: Time;
  /** Present while the job waits. */
  paused?: {
    /** Why an active job waits. */
    reason: PauseReason;
    since: Time;
  };
  deliveredTokens: Amount;
  returnedWei: Amount;
  /** Left in the job's wallet, or held for an operator with a reason. */
  heldWei: Amount;
  /** Bought and not delivered: left in the wallet of the job or held. In the smallest unit of the token. */
  heldTokens?: Amount;
  /** Why money is held, in a sentence. */
  heldReason?: string;
  /** Address for tokens and change. */
  returnAddress?: string;
  /** The fee and the newest other transfers, 300 at most. */
  transfers: Transfer[];
  /** Number of all transfers. */
  transfersInAll?: number;
  /** The plan by which the job trades, and how long an order is valid. */
  rules?: {
    /** Time between two standard orders, ms. */
    slotMs: number;
    /** The job places no order after this time. */
    tradingEndsAt: Time;
    /** By then everything is delivered and returned, or held with a reason. */
    latestEndAt: Time;
    /** Price that the visitor saw, with the pool fee, X96. Null if none was known: the first quote replaces it. */
    seenPriceX96: PriceX96 | null;
    /** Slippage limit in basis points. */
    slippageBps: number;
    /** Most that one order may move the price, in basis points. */
    impactCapBps: number;
    /** Band of prices in which the job trades, in basis points. */
    bandBps: number;
    /** Most gas that all jobs together use in any minute. Absent: no limit. */
    minuteGas?: number;
    /** How long an order is valid, s. */
    orderLifeSeconds: number;
  };
  /** The newest pauses, oldest first. */
  pauses?: Pause[];
  /** Number of all pauses. */
  pausesInAll?: number;
  /** Standard orders that the placed orders replace. More than `ordersPlaced` if expensive gas merged orders. */
  standardOrders?: number;
  /** Execution quality so far, by final orders; absent before the first. */
  quality?: {
    /** Price that the visitor saw before paying, without the pool fee. */
    arrivalPriceX96: PriceX96;
    /** Average price paid in pools, with the pool fee. */
    averagePriceX96: PriceX96;
    /** How many fewer tokens arrived than quoted, in basis points; negative if more. */
    slippageBps: number;
    /** How far the orders moved the price, in basis points of the tokens' worth at the arrival price. */
    priceImpactBps: number;
    /** Cost beyond the tokens' worth at the arrival price. The parts sum to the total to the wei. */
    shortfall: {
      /** Amount in wei as a decimal string; negative for a gain. */
      totalWei: string;
      /** Amount in wei as a decimal string; negative for a gain. */
      impactWei: string;
      /** Amount in wei as a decimal string; negative for a gain. */
      driftWei: string;
      poolFeeWei: Amount;
      gasWei: Amount;
      serviceFeeWei: Amount;
    };
    /** The shortfall in basis points. */
    shortfallBps: number;
    /** Time-weighted average price of the pool over the same time; absent if all was bought at one moment. */
    twapX96?: PriceX96;
    /** How many more tokens than one swap of the same HYPE at the start; negative if fewer. Absent if no pool accepts so much. */
    againstSingleSwapBps?: number;
    /** How much cheaper than `twapX96`; negative if more expensive. */
    againstTwapBps?: number;
  };
  /** How trading ended. */
  ending?: {
    /** Kind of the ending. */
    kind: 'completed' | 'liquidity' | 'technical' | 'cancelled';
    /** A sentence for people. */
    message: string;
  };
}

/** Answer of `GET /jobs/{jobId}/status`. */
export interface Job {
  jobId: JobId;
  /** Status of the job. */
  status: JobStatus;
  /** Whether enough money arrived in time. */
  paymentReceived: boolean;
  /** Wallet of the job, to which the payer sends HYPE. */
  paymentAddress: string;
  /** In HYPE. */
  paymentAmount: number;
  paymentAmountWei: Amount;
  paymentDeadline: Time;
  /** Least sum that starts the job by itself: 99 % of the amount. A job service of an earlier release omits it. */
  leastPaymentWei?: Amount;
  /** Sum with which the holder of the stop secret may start the job now; absent if none. */
  startableWei?: Amount;
  /** Money that is in a block and waits for its confirmation; absent if there is none. */
  waitingWei?: Amount;
  /** Credited so far of money that arrived before the deadline. */
  receivedWei: Amount;
  /** Credited so far of money that arrived after the deadline. */
  lateWei: Amount;
  /** Credited money whose block left the chain: it counts only if it is mined again. Absent if there is none. */
  droppedWei?: Amount;
  /** HYPE that the last search found at the address on HyperCore: it pays for nothing, and an operator can send it back. Absent if none. */
  hyperCoreWei?: Amount;
  /** Transactions that paid for the job, oldest first. Absent before the payment, and if none is known. */
  depositTransactions?: {
    transactionHash: Hash;
    amountWei: Amount;
    /** Sender of a plain transfer; absent for money that a contract moved. */
    from?: string;
    /** Number of the block. */
    blockNumber?: number;
    minedAt?: Time;
  }[];
  /** Tokens at the address that the job did not buy: they pay for nothing, and operators can send them back. Absent if none. */
  foundTokens?: FoundToken[];
  /** Where tokens and change go, if the payer named an address; absent if they go to the wallet that pays. */
  namedReturnAddress?: string;
  /** Present if the payer is unknown: tokens and change are held until operators release them to an address. */
  payerUnknown?: true;
  /** Address that the holder of the private code proposes for held money. Operators check it and release by a signed command. */
  proposedReturnAddress?: string;
  /** Present while no endpoint of the chain answers: since then no block could be read. */
  chainUnreachableSince?: Time;
  /** Independent of each other and of the status. Source: design § 4 'Amounts'. */
  flags: {
    /** Some money arrived, and less than starts the job. */
    underpaid: boolean;
    /** More arrived than was agreed. */
    overpaid: boolean;
    /** Money arrived after the deadline. */
    late: boolean;
  };
  /** Address of the token. */
  tokenAddress: string;
  createdAt: Time;
  activatedAt?: Time;
  endedAt?: Time;
  /** Why the job failed, in a sentence. */
  failureReason?: string;
  /** The valid plan. Activation calculates it again for the amount that was paid. */
  plan?: JobPlan;
  /** Your own references to the job, up to 20. Answers about the job and each message of webhooks repeat them. Everyone with the job id can read them. */
  metadata?: Record<string, string>;
  /** When the payer stopped the job; absent before. */
  stopRequestedAt?: Time;
  /** Refunds of money that pays for no order, the newest 200; absent if there are none. */
  returns?: Refund[];
  /** Tokens bought and HYPE spent and returned so far. */
  receipt?: Receipt;
  /** Present if the receipt could not be read in time: a receipt may exist that this answer lacks. */
  receiptUnavailable?: true;
}

/** An order of a receipt. */
export interface Order {
  /** 1 for the first order of the job. */
  number: number;
  /** Status. */
  status: 'signed' | 'broadcast' | 'mined' | 'final' | 'failed';
  transactionHash: Hash;
  /** Exchange of the order. */
  exchange: string;
  /** Spent in the pool. */
  tradeWei: Amount;
  /** Paid for gas; 0 until mined. */
  gasWei: Amount;
  /** Bought, in the smallest unit of the token; 0 until mined, and if the order failed. */
  tokensBought: Amount;
  /** Quote at signing, after the orders before it, in the smallest unit of the token. */
  quotedTokens?: Amount;
  /** Least that the order accepts, in the smallest unit of the token. */
  minimumTokens?: Amount;
  /** Price paid in the pool: wei for the smallest unit of the token, times 2^96, rounded down. Absent until tokens were bought. */
  priceX96?: PriceX96;
  /** Price of the pool just before the order, without the pool fee, in the unit of `priceX96`. */
  poolPriceBeforeX96?: PriceX96;
  /** Price of the pool just after the order, likewise. */
  poolPriceAfterX96?: PriceX96;
  /** Part of the trade that the pool took as its fee. */
  poolFeeWei?: Amount;
  /** Number of standard orders that it replaces: more than 1 if gas was expensive. */
  merged?: number;
  /** Number of the unfilled order that this order retries. */
  retryOf?: number;
  /** Why the order was not filled. `reverted`: the pool gave less than the minimum, or the token refused; `expired`: mined after its time limit; `withdrawn`: the service replaced it by an empty transaction. */
  failure?: 'reverted' | 'expired' | 'withdrawn';
  placedAt: Time;
  /** Number of the block. */
  blockNumber?: number;
  minedAt?: Time;
}

/** Answer of `GET /jobs/{jobId}/orders`. */
export interface OrderPage {
  /** The orders. */
  orders: Order[];
}

/** Answer of `GET /stats`. */
export interface Stats {
  /** Jobs. */
  jobs: {
    /** Jobs that trade now. */
    active: number;
  };
  /** The newest job. */
  latestJob?: {
    /** Address of the token. */
    tokenAddress: string;
  };
}

/** Answer of `GET /healthz`. */
export interface Health {
  /** Whether the API can work. */
  status: 'ok' | 'unavailable';
}

/** Data of a message to your endpoint, by its type. */
export interface WebhookData {
  /** A job was created and waits for its payment. */
  'job.created': {
    jobId: JobId;
    /** Name of the API key that created the job. */
    apiKeyName?: string;
    /** Your own references to the job, up to 20. Answers about the job and each message of webhooks repeat them. Everyone with the job id can read them. */
    metadata?: Record<string, string>;
    /** Address of the token. */
    tokenAddress: string;
    /** Wallet of the job, to which the payer sends HYPE. */
    paymentAddress: string;
    paymentAmountWei: Amount;
    paymentDeadline: Time;
  };
  /** Enough money arrived in time; the job trades. */
  'job.activated': {
    jobId: JobId;
    /** Name of the API key that created the job. */
    apiKeyName?: string;
    /** Your own references to the job, up to 20. Answers about the job and each message of webhooks repeat them. Everyone with the job id can read them. */
    metadata?: Record<string, string>;
    /** Address of the token. */
    tokenAddress: string;
    /** Wallet of the job. */
    walletAddress: string;
    depositWei: Amount;
    /** Where tokens and unspent HYPE go. Null if the visitor gave no address and no payer is known: they are held. */
    returnAddress: string | null;
    /** Transfers that prove who paid. Present if `returnAddress` is the payer and not an address from the visitor. */
    paidBy?: {
      transactionHash: Hash;
      amountWei: Amount;
    }[];
    /** The agreement and its amendments, signed by the job service. A job that differs from them is refused. */
    terms?: {
      /** The signed terms. */
      agreement: {
        /** Job id. */
        jobId: string;
        /** Chain of the job. */
        chainId: number;
        /** Payment address of the job. */
        wallet: string;
        /** EVM address, in any case. */
        tokenAddress: string;
        amountWei: Amount;
        /** Least payment that starts the job by itself. */
        leastWei: Amount;
        /** Deadline of the payment. */
        deadline: Time;
        /** Null: tokens and unspent HYPE go to the payer. */
        returnAddress: string | null;
        seenPriceX96: PriceX96;
        /** Band of prices in which the job trades, in basis points. */
        bandBps: number;
        /** Slippage limit, in basis points. */
        slippageBps: number;
        /** Most that one order may move the price, in basis points. */
        impactCapBps: number;
        latestEndAt: Time;
        /** Hash of the stop secret. */
        stopSecretHash: string;
        /** Hash of the idempotency key with the name of the API key: it binds the answer to its request. */
        claim: string;
        createdAt: Time;
      };
      /** 65 bytes, by the key of agreements. */
      signature: string;
      /** Changes of the agreement, oldest first. */
      amendments: {
        /** The signed change. */
        amendment: {
          /** Job id. */
          jobId: string;
          /** 1 for the first amendment of the job. */
          sequence: number;
          /** Hash of the agreement, or of the amendment before. */
          previous: Hash;
          /** Null: not changed. */
          returnAddress: string | null;
          /** Least payment that starts the job; null: not changed. */
          leastWei: Amount | null;
          /** Present in the last amendment, by which the job starts. */
          activation: {
            depositWei: Amount;
            /** Time of the newest block of the payment, or of the start with less. */
            paidAt: Time;
            /** Sender of the payment; null if none is known. */
            payer: string | null;
            /** Time between two standard orders, ms. */
            slotMs: number;
            /** The job places no order after this time. */
            tradingEndsAt: Time;
            latestEndAt: Time;
          } | null;
          createdAt: Time;
        };
        /** 65 bytes, by the key of agreements. */
        signature: string;
      }[];
    };
    /** The agreed plan, calculated for the amount that was paid. */
    plan: {
      /** Time between two standard orders, ms. */
      slotMs: number;
      /** The job places no order after this time. */
      tradingEndsAt: Time;
      /** By then everything is delivered and returned, or held with a reason. */
      latestEndAt: Time;
      /** Price that the visitor saw, with the pool fee, X96. Null if none was known: the first quote replaces it. */
      seenPriceX96: PriceX96 | null;
      /** Slippage limit in basis points. */
      slippageBps: number;
      /** Most that one order may move the price, in basis points. */
      impactCapBps: number;
      /** Band of prices in which the job trades, in basis points. */
      bandBps: number;
      /** Most gas that all jobs together use in any minute. Absent: no limit. */
      minuteGas?: number;
    };
  };
  /** The status of the job changed. */
  'job.status_changed': {
    jobId: JobId;
    /** Name of the API key that created the job. */
    apiKeyName?: string;
    /** Your own references to the job, up to 20. Answers about the job and each message of webhooks repeat them. Everyone with the job id can read them. */
    metadata?: Record<string, string>;
    /** Status of the job. */
    from: JobStatus;
    /** Status of the job. */
    to: JobStatus;
  };
  /** An operator or the payer ends an active job. */
  'job.cancel_requested': {
    jobId: JobId;
    /** Name of the API key that created the job. */
    apiKeyName?: string;
    /** Your own references to the job, up to 20. Answers about the job and each message of webhooks repeat them. Everyone with the job id can read them. */
    metadata?: Record<string, string>;
  };
  /** Money arrived that pays for no order; it is returned or held. */
  'deposit.return_due': {
    jobId: JobId;
    /** Name of the API key that created the job. */
    apiKeyName?: string;
    /** Your own references to the job, up to 20. Answers about the job and each message of webhooks repeat them. Everyone with the job id can read them. */
    metadata?: Record<string, string>;
    /** Id of the refund. */
    returnId: string;
    /** Sum of the deposits, before the gas of the transfer. */
    amountWei: Amount;
    /** EVM address, in any case. */
    walletAddress: string;
    /** EVM address, in any case. */
    tokenAddress: string;
    /** Ids of the deposits. */
    depositIds: string[];
    /** Recipient; null if none is known. */
    to: string | null;
    /** Transfers that prove the sender. Present if `to` is the sender of the deposits and not an address from the visitor. */
    sentBy?: {
      transactionHash: Hash;
      amountWei: Amount;
    }[];
    /** The agreement and its amendments: without `sentBy`, `to` is the return address that they name, or the money is held. */
    terms?: {
      /** The signed terms. */
      agreement: {
        /** Job id. */
        jobId: string;
        /** Chain of the job. */
        chainId: number;
        /** Payment address of the job. */
        wallet: string;
        /** EVM address, in any case. */
        tokenAddress: string;
        amountWei: Amount;
        /** Least payment that starts the job by itself. */
        leastWei: Amount;
        /** Deadline of the payment. */
        deadline: Time;
        /** Null: tokens and unspent HYPE go to the payer. */
        returnAddress: string | null;
        seenPriceX96: PriceX96;
        /** Band of prices in which the job trades, in basis points. */
        bandBps: number;
        /** Slippage limit, in basis points. */
        slippageBps: number;
        /** Most that one order may move the price, in basis points. */
        impactCapBps: number;
        latestEndAt: Time;
        /** Hash of the stop secret. */
        stopSecretHash: string;
        /** Hash of the idempotency key with the name of the API key: it binds the answer to its request. */
        claim: string;
        createdAt: Time;
      };
      /** 65 bytes, by the key of agreements. */
      signature: string;
      /** Changes of the agreement, oldest first. */
      amendments: {
        /** The signed change. */
        amendment: {
          /** Job id. */
          jobId: string;
          /** 1 for the first amendment of the job. */
          sequence: number;
          /** Hash of the agreement, or of the amendment before. */
          previous: Hash;
          /** Null: not changed. */
          returnAddress: string | null;
          /** Least payment that starts the job; null: not changed. */
          leastWei: Amount | null;
          /** Present in the last amendment, by which the job starts. */
          activation: {
            depositWei: Amount;
            /** Time of the newest block of the payment, or of the start with less. */
            paidAt: Time;
            /** Sender of the payment; null if none is known. */
            payer: string | null;
            /** Time between two standard orders, ms. */
            slotMs: number;
            /** The job places no order after this time. */
            tradingEndsAt: Time;
            latestEndAt: Time;
          } | null;
          createdAt: Time;
        };
        /** 65 bytes, by the key of agreements. */
        signature: string;
      }[];
    };
    /** Why the money is held; present if `to` is null. */
    holdReason?: string;
    /** Whether the job became active: then its execution exists or will exist soon. */
    activated: boolean;
    /** Newest block that holds one of the deposits. A node below this block does not show all of them. */
    blockNumber: number;
  };
  /** Money is in a block and waits for its confirmation. */
  'payment.seen': {
    jobId: JobId;
    /** Name of the API key that created the job. */
    apiKeyName?: string;
    /** Your own references to the job, up to 20. Answers about the job and each message of webhooks repeat them. Everyone with the job id can read them. */
    metadata?: Record<string, string>;
    seenWei: Amount;
    /** Rises with each message; the highest is valid. */
    revision: number;
  };
  /** Money arrived and is confirmed. */
  'payment.received': {
    jobId: JobId;
    /** Name of the API key that created the job. */
    apiKeyName?: string;
    /** Your own references to the job, up to 20. Answers about the job and each message of webhooks repeat them. Everyone with the job id can read them. */
    metadata?: Record<string, string>;
    /** Unique id: address and transaction hash, or address and the balance that it reached. */
    depositId: string;
    amountWei: Amount;
    /** `transfer`: a plain transfer; `internal`: moved by a contract; `system`: a credit from HyperCore; `balance`: a rise of the balance without a known transaction. */
    kind: 'transfer' | 'internal' | 'system' | 'balance';
    /** Sender of a plain transfer. */
    from?: string;
    /** Hash of the transaction; only that of a plain transfer is proven, others are as a node reported them. Absent if unknown. */
    transactionHash?: Hash;
    /** Number of the block. */
    blockNumber: number;
    /** Timestamp of the block. It decides whether the deposit is in time. */
    blockAt: Time;
    /** 1 at first; 1 more each time that the deposit is mined again after its block left the chain. The highest is valid. */
    occurrence?: number;
  };
  /** A credited deposit left the chain. */
  'payment.dropped': WebhookData['payment.received'];
  /** HYPE was found at the address on HyperCore. */
  'payment.seen_on_hypercore': {
    jobId: JobId;
    /** Name of the API key that created the job. */
    apiKeyName?: string;
    /** Your own references to the job, up to 20. Answers about the job and each message of webhooks repeat them. Everyone with the job id can read them. */
    metadata?: Record<string, string>;
    amountWei: Amount;
    checkedAt: Time;
  };
  /** Tokens were found at the address, or have left it. */
  'payment.tokens_found': {
    jobId: JobId;
    /** Name of the API key that created the job. */
    apiKeyName?: string;
    /** Your own references to the job, up to 20. Answers about the job and each message of webhooks repeat them. Everyone with the job id can read them. */
    metadata?: Record<string, string>;
    /** Balances above 0. */
    tokens: FoundToken[];
    searchedAt: Time;
  };
  /** The execution began and its fee is on the way. */
  'execution.started': {
    jobId: JobId;
    /** Name of the API key that created the job. */
    apiKeyName?: string;
    /** Your own references to the job, up to 20. Answers about the job and each message of webhooks repeat them. Everyone with the job id can read them. */
    metadata?: Record<string, string>;
    /** Orders that the schedule plans. */
    plannedOrders: number;
    /** Time between two orders, ms. */
    intervalMs: number;
    feeWei: Amount;
    orderBudgetWei: Amount;
  };
  /** Orders of the job were mined in a block. */
  'order.mined': {
    jobId: JobId;
    /** Name of the API key that created the job. */
    apiKeyName?: string;
    /** Your own references to the job, up to 20. Answers about the job and each message of webhooks repeat them. Everyone with the job id can read them. */
    metadata?: Record<string, string>;
    /** Number of the block. */
    blockNumber: number;
    /** Orders of the job in this block. */
    minedInBlock: number;
    /** Orders mined so far. */
    ordersPlaced: number;
    tradedWei: Amount;
    tokensBought: Amount;
    nextOrderAt?: Time;
  };
  /** The job paused. */
  'execution.paused': {
    jobId: JobId;
    /** Name of the API key that created the job. */
    apiKeyName?: string;
    /** Your own references to the job, up to 20. Answers about the job and each message of webhooks repeat them. Everyone with the job id can read them. */
    metadata?: Record<string, string>;
    /** Why an active job waits. */
    reason: PauseReason;
  };
  /** The job continues after a pause. */
  'execution.resumed': WebhookData['execution.paused'];
  /** All orders are done, the tokens delivered and the rest returned. */
  'execution.completed': {
    jobId: JobId;
    /** Name of the API key that created the job. */
    apiKeyName?: string;
    /** Your own references to the job, up to 20. Answers about the job and each message of webhooks repeat them. Everyone with the job id can read them. */
    metadata?: Record<string, string>;
    /** Orders mined so far. */
    ordersPlaced: number;
    tradedWei: Amount;
    gasWei: Amount;
    feeWei: Amount;
    deliveredTokens: Amount;
    returnedWei: Amount;
    /** Why money is held, in a sentence. */
    heldReason?: string;
  };
  /** No further order is possible; the tokens are delivered and the rest is returned. */
  'execution.failed': {
    jobId: JobId;
    /** Name of the API key that created the job. */
    apiKeyName?: string;
    /** Your own references to the job, up to 20. Answers about the job and each message of webhooks repeat them. Everyone with the job id can read them. */
    metadata?: Record<string, string>;
    /** Why trading ended. */
    reason: 'liquidity' | 'technical' | 'cancelled';
    /** A sentence for people. */
    message: string;
    /** Orders mined so far. */
    ordersPlaced: number;
    returnedWei: Amount;
  };
  /** A fee, delivery or return is final. */
  'transfer.settled': {
    jobId: JobId;
    /** Name of the API key that created the job. */
    apiKeyName?: string;
    /** Your own references to the job, up to 20. Answers about the job and each message of webhooks repeat them. Everyone with the job id can read them. */
    metadata?: Record<string, string>;
    /** Kind of the transfer. */
    kind: 'fee' | 'delivery' | 'return';
    /** Whether the transfer succeeded. */
    succeeded: boolean;
    transactionHash: Hash;
    /** Recipient; for a delivery, the contract of the token. */
    to: string;
    /** Wei for fee and return, smallest units of the token for delivery. */
    amount: Amount;
    gasWei: Amount;
    /** Number of the block. */
    blockNumber: number;
  };
  /** The wallet holds more than the reported deposits. */
  'deposit.surplus_found': {
    jobId: JobId;
    /** Name of the API key that created the job. */
    apiKeyName?: string;
    /** Your own references to the job, up to 20. Answers about the job and each message of webhooks repeat them. Everyone with the job id can read them. */
    metadata?: Record<string, string>;
    /** Id of the deposit. */
    depositId: string;
    amountWei: Amount;
    /** Number of the block. */
    blockNumber: number;
    blockAt: Time;
  };
  /** A refund left the wallet. */
  'deposit.returned': {
    jobId: JobId;
    /** Name of the API key that created the job. */
    apiKeyName?: string;
    /** Your own references to the job, up to 20. Answers about the job and each message of webhooks repeat them. Everyone with the job id can read them. */
    metadata?: Record<string, string>;
    /** Id of the refund. */
    returnId: string;
    /** Sum of the deposits, before the gas of the transfer. */
    amountWei: Amount;
    /** Recipient. */
    to: string;
    /** Amount that the recipient received; the rest was gas. Absent if the transfer also moved other money. */
    returnedWei?: Amount;
    transactionHash: Hash;
    /** Whether the transfer that returned the rest of the job also paid this refund. */
    withTheRest: boolean;
  };
  /** A refund is held for an operator. */
  'deposit.held': {
    jobId: JobId;
    /** Name of the API key that created the job. */
    apiKeyName?: string;
    /** Your own references to the job, up to 20. Answers about the job and each message of webhooks repeat them. Everyone with the job id can read them. */
    metadata?: Record<string, string>;
    /** Id of the refund. */
    returnId: string;
    /** Sum of the deposits, before the gas of the transfer. */
    amountWei: Amount;
    /** Reason, in a sentence. */
    reason: string;
    /** Present if the chain does not show the money: a reorganisation removed it before the refund. */
    absent?: true;
  };
  /** An operator released held money. */
  'funds.released': {
    jobId: JobId;
    /** Name of the API key that created the job. */
    apiKeyName?: string;
    /** Your own references to the job, up to 20. Answers about the job and each message of webhooks repeat them. Everyone with the job id can read them. */
    metadata?: Record<string, string>;
    /** Recipient. */
    to: string;
    amountWei: Amount;
    /** Ids of the refunds. */
    returnIds: string[];
  };
}
