import { findNginx } from './proxy-programs.ts';
import { type RunningProxy, startProxy } from './running-proxy.ts';

/**
 * nginx in front of an upstream, with default settings except the address: it buffers, and drops an upstream that sends nothing for
 * 60 seconds.
 * @param upstreamPort on this machine
 * @param locations further ones of the server, and their parts of the http block
 */
export function startNginx(
  upstreamPort: number,
  { http = '', server = '' }: { readonly http?: string; readonly server?: string } = {},
): Promise<RunningProxy> {
  return startProxy({
    program: findNginx,
    configuration: (folder, port) => `
daemon off;
# Its workers must reach a folder that is this user's alone; where that is not root, nginx leaves the line out.
user root root;
pid ${folder}/pid;
error_log ${folder}/log;
worker_processes 1;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/temporary;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream api { server 127.0.0.1:${upstreamPort}; }
  ${http.replaceAll('/var/cache/nginx', folder)}
  server {
    listen 127.0.0.1:${port};
    ${server}
    location / { proxy_pass http://api; }
  }
}
`,
    args: (folder, file) => ['-p', folder, '-c', file],
  });
}
