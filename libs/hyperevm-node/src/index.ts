export { controlNode, type NodeControl, type SwitchChange } from './control/control-node.ts';
export { DEFAULT_SWITCHES } from './rules/switches.ts';
export { SYSTEM_ADDRESS } from './rules/system-transactions.ts';
export { EXECUTION_ARGUMENTS, type RunningNode, startHyperevmNode } from './server/start-node.ts';
