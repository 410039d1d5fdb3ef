export * from './agreed-recipient.ts';
export * from './agreement-claim.ts';
export * from './deviation.ts';
export * from './terms.ts';
