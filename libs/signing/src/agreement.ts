export * from './agreed-recipient.ts';
export * from './agreed-terms.ts';
export * from './agreement-typed-data.ts';
export * from './deviation.ts';
