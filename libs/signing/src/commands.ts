export * from './command-signature.ts';
export * from './stop-proof.ts';
