import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { runPeer, runService } from '@platen/e2e/processes';
import { median } from './load.ts';
import { print, printRatio } from './report.ts';

const gigabytes = Number(process.env['BENCH_UPLOAD_GIB'] ?? 1);
const bytes = gigabytes * 2 ** 30;
const rounds = 5;
const chunk = Buffer.alloc(2 ** 20, 'platen');

/** One upload of 1 GiB (BENCH_UPLOAD_GIB), beside a bare node:http server that pipes the body to a file and fsyncs. */
export async function benchUpload(): Promise<void> {
  const service = await runService({ env: { PLATEN_RUNNERS: '0' } });
  const folder = await mkdtemp(join(service.dataFolder, 'bare-'));
  const bare = await runPeer('bench/bare-upload.ts', { FOLDER: folder });
  try {
    const { client } = service;
    const project = await client.postProject({
      body: { name: 'Bench', description: '', bbox: [0, 0, 1, 1] },
    });
    const path = `/api/v1/project/${project._id}/data-bucket/${project.defaultDataBucketId}/upload?overwrite=true`;
    const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="f.bin"\r\n\r\n';
    const headers = {
      authorization: `Bearer ${service.token}`,
      'content-type': 'multipart/form-data; boundary=b',
    };
    const ours = () => send({ port: service.port, path, headers, head, tail: '\r\n--b--\r\n' });
    const theirs = () => send({ port: bare.port, path: '/', headers: {}, head: '', tail: '' });
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const [bareMs, ourMs] = [await theirs(), await ours()];
      ratios.push(bareMs / ourMs);
      const rate = (ms: number) => `${(bytes / 1000 / ms).toFixed(0)} MB/s`;
      print(
        `upload of ${gigabytes} GiB: ${rate(ourMs)}, bare ${rate(bareMs)}, peak memory ${peakMegabytes(service.child.pid!)} MB`,
      );
    }
    printRatio('upload, ours / bare node:http', median(ratios), 0.6);
  } finally {
    await bare.stop();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Upload {
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly head: string;
  readonly tail: string;
}

/** @returns milliseconds from the first byte sent to the answer */
function send({ port, path, headers, head, tail }: Upload): Promise<number> {
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const length = bytes + head.length + tail.length;
    const outgoing = request({
      port,
      path,
      method: 'POST',
      headers: { ...headers, 'content-length': length },
    });
    outgoing.on('error', reject).on('response', (reply) => {
      reply.resume();
      reply.on('end', () => {
        if (reply.statusCode === 204) resolve(performance.now() - start);
        else reject(new Error(`The upload was answered by ${reply.statusCode}.`));
      });
    });
    outgoing.write(head);
    let left = bytes / chunk.length;
    const pump = () => {
      while (left > 0) {
        left--;
        if (!outgoing.write(chunk)) return void outgoing.once('drain', pump);
      }
      outgoing.end(tail);
    };
    pump();
  });
}

/** The highest resident memory of a process so far, where the system tells it. */
function peakMegabytes(pid: number): number {
  try {
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
  } catch {
    return Number.NaN;
  }
}
