import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runPeer, runService, type RunningService } from '@platen/e2e/processes';
import { median } from './load.ts';
import { print, printAtMost, printRatio } from './report.ts';
import { send, sendForm, sendTus, type Target } from './send.ts';
import { watchProcess } from './watch-process.ts';

const gibibytes = Number(process.env['BENCH_UPLOAD_GIB'] ?? 1);
const bytes = gibibytes * 2 ** 30;
const rounds = 5;
const atOnce = Number(process.env['BENCH_UPLOADS'] ?? 200);
const eachBytes = Number(process.env['BENCH_UPLOAD_MIB'] ?? 50) * 2 ** 20;

/**
 * One upload of 1 GiB (BENCH_UPLOAD_GIB) as form data and by tus, beside a bare node:http server that pipes the body to a
 * file and fsyncs. Then 200 (BENCH_UPLOADS) of 50 MiB (BENCH_UPLOAD_MIB) at once.
 */
export async function benchUpload(): Promise<void> {
  await compareOne();
  await sendMany('forms', sendForm);
  await sendMany('tus', sendTus);
}

async function compareOne(): Promise<void> {
  const service = await runService({ env: { PLATEN_RUNNERS: '0' } });
  const folder = await mkdtemp(join(service.dataFolder, 'bare-'));
  const bare = await runPeer('bench/bare-upload.ts', { FOLDER: folder });
  try {
    const target = await newTarget(service);
    const formRatios: number[] = [];
    const tusRatios: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const peer = await send({ port: bare.port, method: 'POST', path: '/', headers: {}, bytes });
      const form = await sendForm(target, `form ${round}`, bytes);
      const tus = await sendTus(target, `tus ${round}`, bytes);
      formRatios.push(peer.milliseconds / form);
      tusRatios.push(peer.milliseconds / tus);
      const rate = (ms: number) => `${(bytes / 1000 / ms).toFixed(0)} MB/s`;
      print(
        `upload of ${gibibytes} GiB: form ${rate(form)}, tus ${rate(tus)}, bare ${rate(peer.milliseconds)}`,
      );
      await forget(service, target, [`form ${round}`, `tus ${round}`]);
    }
    printRatio('upload as form data, ours / bare node:http', median(formRatios), 0.6);
    printRatio('upload by tus, ours / bare node:http', median(tusRatios), 0.5);
  } finally {
    await bare.stop();
    await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** In a process of its own, as memory once taken is not given back. */
async function sendMany(
  name: string,
  sendOne: (target: Target, name: string, bytes: number) => Promise<number>,
): Promise<void> {
  const service = await runService({ env: { PLATEN_RUNNERS: '0' } });
  try {
    const target = await newTarget(service);
    const watch = watchProcess(service.child.pid!);
    await Promise.all(Array.from({ length: atOnce }, (_, i) => sendOne(target, `${name} ${i}`, eachBytes)));
    const { wallSeconds, peakMegabytes } = watch.stop();
    const rate = ((atOnce * eachBytes) / 1e6 / wallSeconds).toFixed(0);
    print(`${atOnce} uploads of ${eachBytes / 2 ** 20} MiB at once (${name}): ${rate} MB/s in all`);
    printAtMost(`peak memory of the service (${name}), MiB`, peakMegabytes, 384);
  } finally {
    await service.stop();
  }
}

/** A new data bucket to send files to. */
export async function newTarget({
  client,
  port,
  token,
}: RunningService): Promise<Target & { params: Params }> {
  const project = await client.postProject({
    body: { name: 'Bench', description: '', bbox: [0, 0, 1, 1] },
  });
  const params = { projectId: project._id, dataBucketId: project.defaultDataBucketId };
  const path = `/api/v1/project/${params.projectId}/data-bucket/${params.dataBucketId}`;
  return { port, token, path, params };
}

type Params = { readonly projectId: string; readonly dataBucketId: string };

async function forget({ client }: RunningService, { params }: { params: Params }, keys: readonly string[]) {
  for (const key of keys) await client.deleteProjectDataBucketObject({ params, query: { key } });
}
