export { controlNode, type NodeControl, type SwitchChange, type Waiting } from './control/control-node.ts';
export type { BlockKind } from './rules/block-schedule.ts';
export { DEFAULT_SWITCHES, type Switches, type Traffic } from './rules/switches.ts';
export { SYSTEM_ADDRESS } from './rules/system-transactions.ts';
export { EXECUTION_ARGUMENTS, type NodeOptions, type RunningNode, startHyperevmNode } from './server/start-node.ts';
