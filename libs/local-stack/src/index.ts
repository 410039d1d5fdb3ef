export { findAnvil } from './binaries/anvil.ts';
export { findOnPath, fromEnvironment, isExecutable } from './binaries/executable.ts';
export { findMongod } from './binaries/mongod.ts';
export { findNatsServer } from './binaries/nats-server.ts';
export { ACCOUNT_INDEX, CHAIN_MNEMONIC, type DemoAccount, demoAccount } from './chain/accounts.ts';
export { anvilArguments, chainTestClient } from './chain/anvil.ts';
export {
  HOSTILE_RECIPIENTS,
  HOSTILE_TOKENS,
  type HostileContract,
  type OwnArtifact,
  ownArtifacts,
} from './chain/artifacts.ts';
export { type ChainContracts, routersOf } from './chain/deploy-exchanges.ts';
export { DEMO_TOKENS, type DemoToken, type DemoTokens } from './chain/deploy-tokens.ts';
export { CHAIN_ID, localNetwork } from './chain/network.ts';
export { type ChainClock, HYPEREVM_CLOCK } from './chain/node.ts';
export { type ChainDeployment, deployDemoContracts, exchangeRegistry } from './chain/run-chain.ts';
export { runUntilStopped, type TerminalRun } from './cli/run-until-stopped.ts';
export * from './errors.ts';
export {
  type ChainOptions,
  type ChainPart,
  type ExchangeChainPart,
  type MongoPart,
  type NatsPart,
  type Part,
  startChain,
  startMongo,
  startNats,
} from './parts.ts';
export { cacheDirectory, DEFAULT_STACK_DIRECTORY, WORKSPACE_ROOT } from './paths.ts';
export { freePort } from './processes/ports.ts';
export { type WaitOptions, waitUntil } from './processes/wait-until.ts';
export {
  REMOTES,
  type ReplicaAddresses,
  SERVICES,
  type ServiceName,
  type StackDescription,
} from './stack/description.ts';
export { readStack } from './stack/read-stack.ts';
export type { ServerName } from './stack/running-server.ts';
export { prepareSecrets, type StackSecrets } from './stack/secrets.ts';
export type { StackOptions, StackParts } from './stack/stack-options.ts';
export { type RunningStack, startStack } from './stack/start-stack.ts';
