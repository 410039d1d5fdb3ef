export * from './agreed-terms.ts';
export * from './agreement-typed-data.ts';
