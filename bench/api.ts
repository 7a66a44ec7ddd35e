import { databaseUrl } from './database-url.ts';
import { compareRates, median } from './load.ts';
import { runPeer, runService } from '@platen/e2e/processes';
import { print, printRatio } from './report.ts';

const rounds = 7;
const durationMs = 2000;
const connections = 16;

/** GET of a list and of one resource, beside a bare node:http server that runs only the same SQL. */
export async function benchApi(): Promise<void> {
  const service = await runService({ env: { PLATEN_RUNNERS: '0' } });
  const { client } = service;
  const project = await client.postProject({
    body: { name: 'Bench', description: '', bbox: [-180, -85, 180, 85] },
  });
  const params = { projectId: project._id };
  for (let i = 0; i < 60; i++) await client.postProjectDataBucket({ params, body: { name: `Bucket ${i}` } });
  const bare = await runPeer('bench/bare-api.ts', {
    DATABASE_URL: databaseUrl(service),
    PROJECT_ID: project._id,
  });
  try {
    const headers = { authorization: `Bearer ${service.token}` };
    const path = `/api/v1/project/${project._id}`;
    const one = project.defaultDataBucketId;
    const cases = [
      { name: 'GET list of 20', ours: `${path}/data-buckets`, theirs: '/list', target: 0.5 },
      { name: 'GET one', ours: `${path}/data-bucket/${one}`, theirs: `/point/${one}`, target: 0.45 },
    ];
    for (const { name, ours, theirs, target } of cases) {
      const ratios = await compareRates(
        {
          ours: { port: service.port, paths: [ours], headers, connections, durationMs },
          theirs: { port: bare.port, paths: [theirs], connections, durationMs },
          rounds,
        },
        (ourRate, bareRate) => print(`${name}: ${ourRate.toFixed(0)}/s, bare ${bareRate.toFixed(0)}/s`),
      );
      printRatio(`${name}, ours / bare node:http`, median(ratios), target);
    }
  } finally {
    await bare.stop();
    await service.stop();
  }
}
