import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { runService } from '@platen/e2e/processes';
import { median } from './load.ts';
import { newTarget } from './upload.ts';
import { print, printAtMost } from './report.ts';
import { sendForm, sendTus } from './send.ts';
import type { ReaderSettings, ReadTimes } from './upload-reader.ts';

const atOnce = Number(process.env['BENCH_UPLOADS'] ?? 200);
const eachBytes = Number(process.env['BENCH_UPLOAD_MIB'] ?? 20) * 2 ** 20;
const maxMedianMs = 100;

/** Response times of other requests during 200 (BENCH_UPLOADS) uploads of 20 MiB (BENCH_UPLOAD_MIB) at once. */
export async function benchUploadReads(): Promise<void> {
  await measureReads('forms', sendForm);
  await measureReads('tus', sendTus);
}

async function measureReads(name: string, sendOne: typeof sendForm): Promise<void> {
  const service = await runService({ env: { PLATEN_RUNNERS: '0' } });
  let reader: Worker | undefined;
  try {
    const target = await newTarget(service);
    const { projectId } = target.params;
    const settings: ReaderSettings = {
      url: service.url,
      token: service.token,
      paths: ['/livez', `/api/v1/project/${projectId}`, `${target.path}/objects?limit=20`],
    };
    // a thread of its own, as this one is busy with sending
    reader = new Worker(new URL('./upload-reader.ts', import.meta.url), { workerData: settings });
    const start = performance.now();
    await Promise.all(Array.from({ length: atOnce }, (_, i) => sendOne(target, `${name} ${i}`, eachBytes)));
    const seconds = (performance.now() - start) / 1000;
    reader.postMessage('stop');
    const [times] = (await once(reader, 'message')) as [ReadTimes];
    const rate = ((atOnce * eachBytes) / 1e6 / seconds).toFixed(0);
    print(`${atOnce} uploads of ${eachBytes / 2 ** 20} MiB at once (${name}): ${rate} MB/s in all`);
    for (const [path, ms] of Object.entries(times)) {
      const label = path.replace(/\w{20,}/g, '…');
      print(
        `${label}: 95th percentile ${ms.toSorted((a, b) => a - b)[Math.floor(ms.length * 0.95)]!.toFixed(0)} ms of ${ms.length} requests`,
      );
      printAtMost(`median of GET ${label} beside uploads (${name}), ms`, median(ms), maxMedianMs);
    }
  } finally {
    await reader?.terminate();
    await service.stop();
  }
}
