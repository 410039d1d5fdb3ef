export * from './cancel-proof.ts';
export * from './check-command.ts';
export * from './command-signature.ts';
export * from './operator-keys.ts';
export * from './stop-proof.ts';
