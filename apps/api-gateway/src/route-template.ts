/** '/jobs/{jobId}/payment' as the router writes it: '/jobs/:jobId/payment'. */
export const routeTemplate = (path: string) => path.replaceAll(/\{(\w+)\}/g, ':$1');
