export * from './api/api-client.ts';
export * from './api/api-result.ts';
export * from './api/request-id.ts';
export * from './configuration/web-configuration.ts';
export * from './step-props.ts';
export * from './wizard/open-job.ts';
