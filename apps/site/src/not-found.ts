import type { IncomingMessage, ServerResponse } from 'node:http';

/** Without styles, since it belongs to no build. */
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>There is no such page</title>
  </head>
  <body>
    <main>
      <h1>There is no such page</h1>
      <p>The address is wrong or incomplete.</p>
      <p><a href="/">Go to the start</a></p>
    </main>
  </body>
</html>
`;

/** Answers 404: with a page for browsers, with plain text for other clients. */
export function notFound({ headers }: IncomingMessage, response: ServerResponse): void {
  const isVisitor = headers.accept?.includes('text/html') ?? false;
  response.statusCode = 404;
  response.setHeader('cache-control', 'no-store');
  response.setHeader('vary', 'accept');
  response.setHeader('content-type', `text/${isVisitor ? 'html' : 'plain'}; charset=utf-8`);
  response.end(isVisitor ? PAGE : 'Not found\n');
}
