import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { end, freePort, untilAnswers } from '@platen/e2e/processes';

/** Where it is installed; undefined: nowhere. */
export const nginx = ['/usr/sbin/nginx', '/usr/bin/nginx'].find((path) => existsSync(path));

/** nginx as it serves the static files below `www` well: sendfile, keep-alive, no log, two workers. */
export async function startNginx(program: string, folder: string) {
  const port = await freePort();
  const conf = join(folder, 'nginx.conf');
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  await writeFile(
    conf,
    `${user} daemon off; worker_processes 2; pid ${folder}/pid; error_log ${folder}/error.log;
     events { worker_connections 1024; }
     http { access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000; open_file_cache max=1000;
       client_body_temp_path ${folder}/t1; proxy_temp_path ${folder}/t2; fastcgi_temp_path ${folder}/t3;
       uwsgi_temp_path ${folder}/t4; scgi_temp_path ${folder}/t5;
       server { listen 127.0.0.1:${port}; root ${folder}/www; } }`,
  );
  const child = spawn(program, ['-c', conf, '-p', folder], { stdio: 'ignore' });
  await untilAnswers(`http://127.0.0.1:${port}/`, child);
  return { port, stop: () => end(child) };
}
