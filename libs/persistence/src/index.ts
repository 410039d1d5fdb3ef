export * from './insert-rows.ts';
export * from './leases.ts';
export * from './mongo-configuration.ts';
export * from './outage.ts';
export * from './persistence.metrics.ts';
export * from './persistence.module.ts';
export * from './row-schema.ts';
export * from './transaction.ts';
