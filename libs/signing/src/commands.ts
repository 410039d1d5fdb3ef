export * from './command-signature.ts';
