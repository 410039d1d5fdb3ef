export * from './abi/erc20.ts';
export * from './agreement/block-receipts.ts';
export { answeredBlockTimes } from './agreement/host-headers.ts';
export { Hosts } from './agreement/hosts.ts';
export * from './base-fee.ts';
export * from './broadcast-answer.ts';
export * from './chain-time/judge-chain-time.ts';
export {
  broadcastToAll,
  type ChainClient,
  createChainClient,
  hostCountOf,
  hostsOf,
  verifyChainId,
} from './client.ts';
export * from './connect-chain.ts';
export * from './deposit-proofs.ts';
export { hostOf } from './endpoints/host-of.ts';
export { httpEndpoint } from './endpoints/http-endpoint.ts';
export { commonHeight, judgeEndpoints, type Refusal } from './endpoints/judge-endpoints.ts';
export * from './endpoints/request-limits.ts';
export { MalformedAnswerError, type RpcCall, TooManyRequestsError } from './endpoints/request-outcome.ts';
export type { RequestLimit } from './endpoints/request-window.ts';
export * from './environment.ts';
export { type ErrorMeaning, linksOf, mayGoOtherwise, meaningOf } from './error-meaning.ts';
export { ChainUnavailableError, InvalidExchangesError, UnknownNetworkError } from './errors.ts';
export { type ExchangeVerdict, isVerified, verifyExchanges } from './exchange-checks/verify-exchanges.ts';
export * from './exchanges/exchanges.ts';
export * from './exchanges/load-exchanges.ts';
export * from './head-feed/chain-clock.ts';
export * from './head-feed/head-feed.ts';
export * from './hypercore/hypercore-api.ts';
export { isContract, latestBlock, latestBlockAndFee } from './latest-block.ts';
export * from './market-facts.ts';
export { type Network, networkOf, viemChain } from './networks.ts';
export * from './pools/agreed-market.ts';
export * from './pools/market.ts';
export * from './pools/pool-trade.ts';
export * from './pools/tokens-received.ts';
export type { TaxedStep, TradeVerdict } from './probe/judge-trade.ts';
export { probeTrade } from './probe/probe-trade.ts';
export * from './query.ts';
export * from './quorum.ts';
export { Recipients } from './recipients/recipients.ts';
export * from './rpc-methods.ts';
export * from './scanner/balance-reader.ts';
export type { BalanceReading } from './scanner/balance-ways.ts';
export * from './scanner/block-scanner.ts';
export { readPointer } from './scanner/known-chain.ts';
export * from './scanner/prove-transfer.ts';
export * from './scanner/rpc-request.ts';
export * from './scanner/scan-events.ts';
export * from './scanner/searched-blocks.ts';
export * from './scanner/transfer-proofs.ts';
export * from './scanner/transfer-search.ts';
export { findUsedAddresses } from './scanner/used-addresses.ts';
export * from './scanner/watched-addresses.ts';
export type * from './shapes/exchange-adapter.ts';
export type { PoolTrade } from './shapes/exchange-shape.ts';
export {
  describeExchange,
  type Exchange,
  type ExchangeKind,
  hasPairs,
  type VerifiedExchange,
} from './shapes/shapes.ts';
export * from './token-metadata.ts';
export { type Confirmation, confirmBalances } from './wallets/confirm-balances.ts';
export {
  agreedPurchaseGas,
  agreedTransferGas,
  GAS_LIMIT_CAP,
  type Purchase,
  type TransferGas,
  transferGas,
  withMargin,
} from './wallets/transfer-gas.ts';
export * from './wallets/wallet-reads.ts';
