export { findAnvil } from './binaries/anvil.ts';
export { cachedBinary } from './binaries/cached-binary.ts';
export { findOnPath, fromEnvironment, isExecutable } from './binaries/executable.ts';
export { findMongod } from './binaries/mongod.ts';
export { findNatsServer } from './binaries/nats-server.ts';
export { ACCOUNT_INDEX, CHAIN_MNEMONIC, demoAccount } from './chain/accounts.ts';
export { anvilArguments, chainTestClient } from './chain/anvil.ts';
export {
  type HostileContract,
  type OwnArtifact,
  ownArtifacts,
} from './chain/artifacts.ts';
export type { DemoToken } from './chain/deploy-tokens.ts';
export type { DeploymentBatch } from './chain/deployment-batch.ts';
export { CHAIN_ID, localNetwork } from './chain/network.ts';
export { type ChainClock, HYPEREVM_CLOCK } from './chain/node.ts';
export { type ChainDeployment, deployDemoContracts } from './chain/run-chain.ts';
export { algebraVenue } from './chain/venues/algebra-venue.ts';
export { camelotVenue } from './chain/venues/camelot-venue.ts';
export { uniswapV2Venue } from './chain/venues/uniswap-v2-venue.ts';
export { uniswapV3Router02Venue, uniswapV3Venue } from './chain/venues/uniswap-v3-venues.ts';
export { exchangeRegistry, routersOf, VENUES } from './chain/venues/venues.ts';
export { runUntilStopped } from './cli/run-until-stopped.ts';
export * from './errors.ts';
export {
  type ChainPart,
  type ExchangeChainPart,
  type MongoPart,
  type NatsPart,
  type OpenDatabases,
  openDatabases,
  type QuickClock,
  SHARED_MONGO_PORT,
  startChain,
  startMongo,
  startNats,
  type TestDatabases,
} from './parts.ts';
export { cacheDirectory } from './paths.ts';
export { freePort } from './processes/ports.ts';
export { waitUntil } from './processes/wait-until.ts';
export {
  ALL_SERVICES,
  REMOTES,
  type ReplicaAddresses,
  SERVICES,
  type ServiceName,
  type StackDescription,
} from './stack/description.ts';
export { prepareSecrets, type StackSecrets } from './stack/secrets.ts';
export type { StackOptions } from './stack/stack-options.ts';
export { type RunningStack, startStack } from './stack/start-stack.ts';
