import { spawn } from 'node:child_process';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { end, freePort, untilAnswers } from './processes.ts';

interface StaticServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Path of nginx; undefined if it is not installed. */
export const nginx = ['/usr/sbin/nginx', '/usr/bin/nginx'].find((path) => existsSync(path));

/** nginx as it is installed: the files below a folder, and media types by their endings. */
export async function serveByNginx(root: string, scratch: string): Promise<StaticServer> {
  const port = await freePort();
  const conf = join(scratch, 'nginx.conf');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  await writeFile(
    conf,
    `${user} daemon off; worker_processes 1; pid ${scratch}/pid; error_log ${scratch}/error.log;
     events { worker_connections 256; }
     http { access_log off; include /etc/nginx/mime.types;
       client_body_temp_path ${scratch}/t1; proxy_temp_path ${scratch}/t2; fastcgi_temp_path ${scratch}/t3;
       uwsgi_temp_path ${scratch}/t4; scgi_temp_path ${scratch}/t5;
       server { listen 127.0.0.1:${port}; root ${root}; } }`,
  );
  const child = spawn(nginx!, ['-c', conf, '-p', scratch], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  await untilAnswers(url, child);
  return { url, stop: () => end(child) };
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** A minimal server: whole files only, no ranges, no compression. */
export async function serveTinily(root: string): Promise<StaticServer> {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(request.url!.split('?')[0]!));
    const file = join(root, path.endsWith('/') ? `${path}index.html` : path);
    if (!existsSync(file) || !statSync(file).isFile()) return response.writeHead(404).end();
    response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream');
    return createReadStream(file).pipe(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}
