export { cacheControl, securityHeaders } from './headers.ts';
export { type Site, siteHandler } from './site-handler.ts';
