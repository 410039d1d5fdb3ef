// A script writes this file from the OpenAPI document: run `npm run docs:reference` after a change.

/** Code of a refusal; `docs/errors.md` says what to do for each. */
export type ErrorCode =
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

/** Body of `POST /plan`. */
export interface PlanRequest {
  /** EVM address, in any case. */
  tokenAddress: string;
  /** In HYPE, as the visitor typed it. */
  paymentAmount: number;
}

/** What a job will do. */
export interface JobPlan {
  /** What it was made for: the chosen budget, or after the payment what was counted of it. */
  depositWei: Amount;
  feeWei: Amount;
  /** What may be spent on orders. */
  orderBudgetWei: Amount;
  /** Set aside for gas. */
  reserveWei: Amount;
  /** The orders. */
  orders: {
    /** Number of orders. */
    count: number;
    /** Spent by one of them. */
    sizeWei: Amount;
    /** Standard orders that one stands for. */
    merged: number;
    /** Time between two of them, ms. */
    intervalMs: number;
  };
  /** Time between two standard orders, ms. */
  slotMs: number;
  startsAt: Time;
  /** Last order, if nothing pauses the job. */
  expectedEndAt: Time;
  /** No order after it. */
  tradingEndsAt: Time;
  /** All is delivered and returned by then, or held with a reason. */
  latestEndAt: Time;
  /** Part of the order budget that the pools take within the band, less gas that comes out of it. */
  spendableWei: Amount;
  /** Present where a trial shows that the token refuses before all of `spendableWei` is spent: about where. */
  tokenTakesWei?: Amount;
  /** What the orders buy. */
  purchase: {
    /** Exchange that the first order goes to, such as 'hyperswap-v3'. */
    exchange: string;
    /** Price that the band is measured from: wei for one smallest unit of the token, pool fee in it, times 2^96. */
    seenPriceX96: PriceX96;
    /** Smallest units of the token that are to be expected. */
    tokens: Amount;
    /** How much dearer than the first unit one order is, and all of them on average. */
    orderImpactBps: number;
    /** How much dearer than the first unit all orders are on average, in basis points. */
    impactBps: number;
    /** How far the price has risen at the last order. */
    priceRiseBps: number;
  };
  /** Gas of all transactions, in parts. */
  gas: {
    ordersWei: Amount;
    /** The fee's transfer, delivery and return. */
    transfersWei: Amount;
    fromReserveWei: Amount;
    fromBudgetWei: Amount;
  };
  /** Unspent budget and reserve, which go back. */
  returnedWei: Amount;
  /** Limits of the trading. */
  limits: {
    /** Slippage in basis points. */
    slippageBps: number;
    /** Most that one order may move the price, in basis points. */
    impactCapBps: number;
    /** Band of prices in which the job trades, in basis points. */
    bandBps: number;
    /** Gas that all jobs together use at most in any minute; absent: no limit. */
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
  )[];
  /** What the plan takes as given. */
  assumes: {
    /** Base and priority fee together, wei per gas. */
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

/** Answer of `POST /validate-token`. */
export interface TokenValidation {
  /** Whether a job for this token is accepted. */
  isValid: boolean;
  /** Present when invalid: what is wrong, in a sentence for the visitor. */
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
    /** Exchange where a standard order costs least after gas, such as 'hyperswap-v3'; absent when there is none. */
    selectedDex?: string;
    /** HYPE side of the best pool, in HYPE, for display only. */
    v2LiquidityHype?: number;
    /** HYPE side of the best V3 pool, in HYPE, for display only. */
    v3LiquidityHype?: number;
    /** The same figures exactly. */
    v2LiquidityWei?: Amount;
    v3LiquidityWei?: Amount;
  };
  /** The token. */
  token?: {
    /** Symbol of the token. */
    symbol: string;
    /** Name. */
    name: string;
    /** Decimals of the token. */
    decimals: number;
  };
  /** The block at which the chain was read: the clock by which a job's deadline is judged. Source: design § 4. */
  checkedAtBlock: {
    /** Number of the block. */
    number: number;
    at: Time;
  };
}

/** Body of `POST /jobs/create`. */
export interface CreateJobRequest {
  /** EVM address, in any case. */
  tokenAddress: string;
  /** In HYPE, as the visitor typed it. */
  paymentAmount: number;
  /** Where bought tokens and unspent HYPE go; without it, the sender of a plain transfer. */
  returnAddress?: string;
  /** The payer knows that the address is a contract; without it, a contract is refused once with its own code. */
  returnAddressIsContract?: boolean;
  /** Your own references to the job, up to 20. The answers about the job and each message `job.*` repeat them; everybody with the job id can read them. */
  metadata?: Record<string, string>;
}

/** Answer of `POST /jobs/create`. */
export interface CreatedJob {
  jobId: JobId;
  /** The job's one public wallet. EIP-55 checksummed. */
  paymentAddress: string;
  /** In HYPE. */
  paymentAmount: number;
  paymentAmountWei: Amount;
  paymentDeadline: Time;
  /** What it will do once it is paid. */
  plan?: JobPlan;
  /** Your own references to the job, up to 20. The answers about the job and each message `job.*` repeat them; everybody with the job id can read them. */
  metadata?: Record<string, string>;
  /** Lets who has it stop the job. Only here, and only while the job waits for its payment: no more than its hash is kept. */
  stopSecret?: string;
}

/** A token that a search found at the address of a job. */
export interface FoundToken {
  /** Contract of the token. */
  tokenAddress: string;
  /** In the smallest unit of the token. */
  amount: Amount;
  /** By which the token calls itself; empty where it does not say. */
  symbol: string;
  /** Decimals of an amount; 0 where the token does not say. */
  decimals: number;
}

/** Answer of `GET /jobs/{jobId}/status`. */
export interface Job {
  jobId: JobId;
  /** Status of the job. */
  status:
    | 'pending_payment'
    | 'active'
    | 'completed'
    | 'failed_liquidity'
    | 'failed_technical'
    | 'cancelled'
    | 'payment_expired';
  /** Whether enough money arrived in time. */
  paymentReceived: boolean;
  /** Wallet of the job, to which the payer sends HYPE. */
  paymentAddress: string;
  /** In HYPE. */
  paymentAmount: number;
  paymentAmountWei: Amount;
  paymentDeadline: Time;
  /** Present where money was seen in a block and is not credited yet: it waits for its confirmation. */
  waitingWei?: Amount;
  /** Credited before the deadline so far. */
  receivedWei: Amount;
  /** Credited after the deadline so far. */
  lateWei: Amount;
  /** Present where money was credited whose block has left the chain since: it counts no longer, unless it is mined again. */
  droppedWei?: Amount;
  /** Present where the last look at HyperCore found HYPE at the address there: it pays for nothing, until an operator sends it back. */
  hyperCoreWei?: Amount;
  /** Transactions that paid for the job, the oldest first; absent before the payment, and where none is known. */
  depositTransactions?: {
    /** Hash of the transaction. */
    transactionHash: string;
    amountWei: Amount;
  }[];
  /** Present where the last search found tokens at the address that the job did not buy: they pay for nothing, until operators send them back. */
  foundTokens?: FoundToken[];
  /** Where tokens and change go, as the payer named it; absent where they go to the wallet that pays. */
  namedReturnAddress?: string;
  /** Present where nobody can be named who paid: tokens and change are held, until operators release them to an address. */
  payerUnknown?: true;
  /** Where the holder of the private link asks held money to go; operators check it, and release by a signed command. */
  proposedReturnAddress?: string;
  /** Independent of each other and of the status. Source: design § 4 'Amounts'. */
  flags: {
    /** Less arrived than was agreed. */
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
  /** What holds: made anew for what was paid when the job turns active. */
  plan?: JobPlan;
  /** Your own references to the job, up to 20. The answers about the job and each message `job.*` repeat them; everybody with the job id can read them. */
  metadata?: Record<string, string>;
  /** When the payer asked for its end: present from then on. */
  stopRequestedAt?: Time;
  /** Present where money arrived that pays for no order; the newest 200 of them. */
  returns?: {
    /** As it arrived; what reaches the recipient is less by the gas of the transfer. */
    amountWei: Amount;
    /** `due`: on its way. `held`: for an operator, with `reason`. */
    status: 'due' | 'returned' | 'held';
    /** Recipient. */
    to?: string;
    /** Reason, in a sentence. */
    reason?: string;
    returnedWei?: Amount;
    transactionHash?: Hash;
  }[];
  /** What was bought, spent and returned so far. */
  receipt?: {
    depositWei: Amount;
    feeWei: Amount;
    orderBudgetWei: Amount;
    /** Orders the schedule plans, and the range that the visitor was shown. */
    plannedOrders: number;
    /** Range of orders that the visitor was shown. */
    estimate: {
      /** Lower bound. */
      lower: number;
      /** Upper bound. */
      upper: number;
    };
    /** Mined successfully. */
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
      reason: 'gas_guardrail' | 'price_band' | 'thin_liquidity' | 'purchase_refused' | 'ledger_drift' | 'operator';
      since: Time;
    };
    deliveredTokens: Amount;
    returnedWei: Amount;
    /** Left in the job's wallet or held for an operator, with the reason. */
    heldWei: Amount;
    /** Bought and not delivered: left in the job's wallet or held, in the token's smallest unit. */
    heldTokens?: Amount;
    /** Why money is held, in a sentence. */
    heldReason?: string;
    /** Address for tokens and change. */
    returnAddress?: string;
    /** The fee, and the newest of the others: see `MOST_RECEIPT_TRANSFERS`. */
    transfers: {
      /** What the transfer is for. */
      kind: 'fee' | 'delivery' | 'return';
      /** Status. */
      status: 'signed' | 'broadcast' | 'mined' | 'final' | 'failed';
      transactionHash: Hash;
      /** Recipient. */
      to: string;
      /** HYPE for fee and return, token units for delivery. */
      amount: Amount;
      gasWei: Amount;
    }[];
    /** How many there were in all. */
    transfersInAll?: number;
    /** The plan by which the job trades, and how long an order is valid. */
    rules?: {
      /** Time between two standard orders, ms. */
      slotMs: number;
      /** No order after it. */
      tradingEndsAt: Time;
      /** All is delivered and returned by then, or held with a reason. */
      latestEndAt: Time;
      /** Price that the visitor saw, pool fee in it, X96; null where none was known: the first quote stands for it. */
      seenPriceX96: PriceX96 | null;
      /** Basis points. */
      slippageBps: number;
      /** Most that one order may move the price, in basis points. */
      impactCapBps: number;
      /** Band of prices in which the job trades, in basis points. */
      bandBps: number;
      /** Gas that all jobs together use at most in any minute; absent: no limit. */
      minuteGas?: number;
      /** How long an order is valid, s. */
      orderLifeSeconds: number;
    };
    /** See `MOST_RECEIPT_PAUSES`. */
    pauses?: {
      /** Why an active job waits. */
      reason: 'gas_guardrail' | 'price_band' | 'thin_liquidity' | 'purchase_refused' | 'ledger_drift' | 'operator';
      since: Time;
      /** Absent while it lasts. */
      until?: Time;
    }[];
    /** How many there were in all. */
    pausesInAll?: number;
    /** Standard orders that the placed ones stand for: where it is more than their number, dear gas merged neighbours. */
    standardOrders?: number;
    /** How well it bought so far, by orders that are final; absent before the first. */
    quality?: {
      /** What the visitor saw before paying, without the pool's fee. */
      arrivalPriceX96: PriceX96;
      /** What was paid in pools, their fee in it. */
      averagePriceX96: PriceX96;
      /** Tokens fewer than quoted; below zero where more arrived. Basis points. */
      slippageBps: number;
      /** By how much the orders moved the price, in basis points of the tokens' worth at arrival. */
      priceImpactBps: number;
      /** What was given beyond the tokens' worth at arrival, and its parts, which sum to it to the wei. */
      shortfall: {
        /** Amount in wei as a decimal string; below zero for a gain. */
        totalWei: string;
        /** Amount in wei as a decimal string; below zero for a gain. */
        impactWei: string;
        /** Amount in wei as a decimal string; below zero for a gain. */
        driftWei: string;
        poolFeeWei: Amount;
        gasWei: Amount;
        serviceFeeWei: Amount;
      };
      /** The shortfall in basis points. */
      shortfallBps: number;
      /** Price of the pool over the same time; absent where all was bought at one moment. */
      twapX96?: PriceX96;
      /** More tokens than one swap of the same HYPE at the start; below zero if fewer. Absent where no pool takes so much. */
      againstSingleSwapBps?: number;
      /** Cheaper than the pool's average over the same time; below zero if dearer. */
      againstTwapBps?: number;
    };
    /** How trading ended. */
    ending?: {
      /** Kind of the ending. */
      kind: 'completed' | 'liquidity' | 'technical' | 'cancelled';
      /** A sentence for people. */
      message: string;
    };
  };
  /** Present when maker-executor did not answer in time: there may be a receipt that is not shown now. */
  receiptUnavailable?: true;
}

/** Data of a message to your endpoint, by its type. */
export interface WebhookData {
  /** job.created */
  'job.created': {
    jobId: JobId;
    /** Address of the token. */
    tokenAddress: string;
    /** Wallet of the job, to which the payer sends HYPE. */
    paymentAddress: string;
    paymentAmountWei: Amount;
    paymentDeadline: Time;
    /** Your own references to the job, up to 20. The answers about the job and each message `job.*` repeat them; everybody with the job id can read them. */
    metadata?: Record<string, string>;
  };
  /** job.activated */
  'job.activated': {
    jobId: JobId;
    /** Address of the token. */
    tokenAddress: string;
    /** The job's wallet and its index below the account key. */
    walletAddress: string;
    depositWei: Amount;
    /** Where tokens and unspent HYPE go; null when the money came from a contract and none was given: hold them. */
    returnAddress: string | null;
    /** Present where `returnAddress` is the sender of the payment, and was not named by the visitor: what proves that. */
    paidBy?: {
      transactionHash: Hash;
      amountWei: Amount;
    }[];
    /** The plan as it was published to the payer, made anew for what was paid. */
    plan: {
      /** Time between two standard orders, ms. */
      slotMs: number;
      /** No order after it. */
      tradingEndsAt: Time;
      /** All is delivered and returned by then, or held with a reason. */
      latestEndAt: Time;
      /** Price that the visitor saw, pool fee in it, X96; null where none was known: the first quote stands for it. */
      seenPriceX96: PriceX96 | null;
      /** Basis points. */
      slippageBps: number;
      /** Most that one order may move the price, in basis points. */
      impactCapBps: number;
      /** Band of prices in which the job trades, in basis points. */
      bandBps: number;
      /** Gas that all jobs together use at most in any minute; absent: no limit. */
      minuteGas?: number;
    };
    /** Your own references to the job, up to 20. The answers about the job and each message `job.*` repeat them; everybody with the job id can read them. */
    metadata?: Record<string, string>;
  };
  /** job.status_changed */
  'job.status_changed': {
    jobId: JobId;
    /** Status of the job. */
    from:
      | 'pending_payment'
      | 'active'
      | 'completed'
      | 'failed_liquidity'
      | 'failed_technical'
      | 'cancelled'
      | 'payment_expired';
    /** Status of the job. */
    to:
      | 'pending_payment'
      | 'active'
      | 'completed'
      | 'failed_liquidity'
      | 'failed_technical'
      | 'cancelled'
      | 'payment_expired';
    /** Your own references to the job, up to 20. The answers about the job and each message `job.*` repeat them; everybody with the job id can read them. */
    metadata?: Record<string, string>;
  };
  /** job.cancel_requested */
  'job.cancel_requested': {
    jobId: JobId;
    /** Your own references to the job, up to 20. The answers about the job and each message `job.*` repeat them; everybody with the job id can read them. */
    metadata?: Record<string, string>;
  };
  /** deposit.return_due */
  'deposit.return_due': {
    jobId: JobId;
    /** Id of the refund. */
    returnId: string;
    /** All that arrived with these deposits, before the gas of the transfer. */
    amountWei: Amount;
    /** EVM address, in any case. */
    walletAddress: string;
    /** EVM address, in any case. */
    tokenAddress: string;
    /** Ids of the deposits. */
    depositIds: string[];
    /** Null: nobody is known to whom it could go. */
    to: string | null;
    /** Present where `to` is the sender of these deposits, and was not named by the visitor: what proves that. */
    sentBy?: {
      transactionHash: Hash;
      amountWei: Amount;
    }[];
    /** Present where `to` is null: why. */
    holdReason?: string;
    /** Whether the job turned active: then its execution exists, or is about to. */
    activated: boolean;
    /** The newest block that holds one of the deposits: a chain not yet there shows nothing. */
    blockNumber: number;
  };
  /** payment.seen */
  'payment.seen': {
    jobId: JobId;
    seenWei: Amount;
    /** Counts up with each message; the highest holds. */
    revision: number;
  };
  /** payment.received */
  'payment.received': {
    jobId: JobId;
    /** Unique: (address, transaction hash, trace) or (address, balance step). */
    depositId: string;
    amountWei: Amount;
    /** A plain transfer; money moved by a contract; a credit from HyperCore; a balance that rose with none that was seen. */
    kind: 'transfer' | 'internal' | 'system' | 'balance';
    /** Sender of a plain transfer. */
    from?: string;
    /** Hash of the transaction, where one is known. */
    transactionHash?: string;
    /** Number of the block. */
    blockNumber: number;
    /** Timestamp of the block: what decides whether it is in time. */
    blockAt: Time;
    /** 1 at first; one more each time that it is mined again after its block had left the chain. The highest is what holds. */
    occurrence?: number;
  };
  /** payment.dropped */
  'payment.dropped': WebhookData['payment.received'];
  /** payment.seen_on_hypercore */
  'payment.seen_on_hypercore': {
    jobId: JobId;
    amountWei: Amount;
    checkedAt: Time;
  };
  /** payment.tokens_found */
  'payment.tokens_found': {
    jobId: JobId;
    /** Balances above 0. */
    tokens: FoundToken[];
    searchedAt: Time;
  };
  /** execution.started */
  'execution.started': {
    jobId: JobId;
    /** Orders that the schedule plans. */
    plannedOrders: number;
    /** Time between two orders, ms. */
    intervalMs: number;
    feeWei: Amount;
    orderBudgetWei: Amount;
  };
  /** order.mined */
  'order.mined': {
    jobId: JobId;
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
  /** execution.paused */
  'execution.paused': {
    jobId: JobId;
    /** Why an active job waits. */
    reason: 'gas_guardrail' | 'price_band' | 'thin_liquidity' | 'purchase_refused' | 'ledger_drift' | 'operator';
  };
  /** execution.resumed */
  'execution.resumed': WebhookData['execution.paused'];
  /** execution.completed */
  'execution.completed': {
    jobId: JobId;
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
  /** execution.failed */
  'execution.failed': {
    jobId: JobId;
    /** `cancelled`: by an operator. */
    reason: 'liquidity' | 'technical' | 'cancelled';
    /** A sentence for people. */
    message: string;
    /** Orders mined so far. */
    ordersPlaced: number;
    returnedWei: Amount;
  };
  /** transfer.settled */
  'transfer.settled': {
    jobId: JobId;
    /** Kind. */
    kind: 'fee' | 'delivery' | 'return';
    /** Whether the transfer succeeded. */
    succeeded: boolean;
    transactionHash: Hash;
    /** Recipient; of a delivery, the contract of its token. */
    to: string;
    /** HYPE for fee and return, token units for delivery. */
    amount: Amount;
    gasWei: Amount;
    /** Number of the block. */
    blockNumber: number;
  };
  /** deposit.surplus_found */
  'deposit.surplus_found': {
    jobId: JobId;
    /** Id of the deposit. */
    depositId: string;
    amountWei: Amount;
    /** Number of the block. */
    blockNumber: number;
    blockAt: Time;
  };
  /** deposit.returned */
  'deposit.returned': {
    jobId: JobId;
    /** Id of the refund. */
    returnId: string;
    /** All that arrived with these deposits, before the gas of the transfer. */
    amountWei: Amount;
    /** Recipient. */
    to: string;
    /** What reached the recipient; the difference is gas. Absent where it went together with other money. */
    returnedWei?: Amount;
    transactionHash: Hash;
    /** The money went back together with the rest of the job, whose transfer this is. */
    withTheRest: boolean;
  };
  /** deposit.held */
  'deposit.held': {
    jobId: JobId;
    /** Id of the refund. */
    returnId: string;
    /** All that arrived with these deposits, before the gas of the transfer. */
    amountWei: Amount;
    /** Reason, in a sentence. */
    reason: string;
    /** Present where the chain does not show the money: a reorganisation took it back before it was returned. */
    absent?: true;
  };
  /** funds.released */
  'funds.released': {
    jobId: JobId;
    /** Recipient. */
    to: string;
    amountWei: Amount;
    /** Ids of the refunds. */
    returnIds: string[];
  };
}
