import { encodeTarFile, tarEnd } from '@platen/formats/tar/write-tar';
import { cities } from '../../jobs/tasks/testing.ts';
import type { Recorder } from './testing-recorder.ts';

/** A runner that enrols, tasks, and the jobs that it runs. */
export async function recordWork(recorder: Recorder): Promise<void> {
  const { call, ids } = recorder;
  const runner = await recordEnrolment(recorder);
  const { dataBucketId } = ids;
  const input = { type: 'internal', dataBucketId, dataBucketKey: 'piers.geojson' };
  const schedule = { type: 'cron', cron: '0 4 * * 1', timezone: 'Europe/Berlin' };
  await call('postSchedulePreview', { body: { schedule, from: '2026-01-15T00:00:00Z' } });
  const { _id: taskId } = await call('postProjectTask', {
    body: {
      name: 'Piers as tiles',
      jobType: 'platenTilesVector',
      schedule,
      parameters: {
        datasource: { command: 'create', name: 'Piers' },
        options: { input, tiling: { preset: 'points', maxZoom: 12 } },
      },
    },
  });
  ids['taskId'] = taskId;
  await call('putProjectTask', { body: { parameters: { options: { tiling: { maxZoom: 14 } } } } });
  const { _id: jobId } = await call('postProjectTaskRun', { body: { debugLevel: 1 } });
  ids['jobId'] = jobId;
  await recordTiling(recorder, runner);
  const again = await call('postProjectJobRun', { body: { priority: 1 } });
  await call('putProjectJobAbort', { path: { jobId: again['_id'] } });
  const sync = {
    name: 'Check',
    jobType: 'platenCheckRunner',
    schedule: { type: 'immediate' },
    parameters: { options: {} },
  };
  await call('postProjectTaskSync', { query: { waitSeconds: 0 }, body: sync });
  await recordEndings(recorder, runner);
  await call('postProjectJobRejectsDatasource', { body: { name: 'Rejected piers', prefix: 'rejected' } });
  await recordInspection(recorder, runner);
  await call('postProjectDataBucketUploadFromUrl', {
    body: { url: 'https://data.example.org/quays.gpkg', key: 'quays.gpkg' },
  });
}

/** @returns the token of the runner */
async function recordEnrolment({ call, ids }: Recorder): Promise<string> {
  const { _id, token: enrolmentToken } = await call('postAdminEnrolmentToken', {
    body: { name: 'For the machine in the basement', hours: 1 },
  });
  ids['enrolmentTokenId'] = _id;
  const registration = {
    labels: ['large'],
    version: '0.1.0',
    capabilities: { cores: 8, memoryMegabytes: 16_384, platform: 'linux x64', node: 'v26.10.0' },
  };
  const { runnerId, token } = await call('postRunnerEnrol', {
    token: '',
    body: { enrolmentToken, name: 'basement', ...registration },
  });
  ids['runnerId'] = runnerId;
  await call('putRunnerRegistration', { token, body: registration });
  return token;
}

async function recordTiling({ call, ids }: Recorder, runner: string): Promise<void> {
  const { job } = await call('postRunnerClaim', { token: runner, body: { waitSeconds: 0 } });
  const { token } = job as { token: string };
  const as = { token, path: { index: '0' } };
  await call('postRunnerJobHeartbeat', { token, body: { waitMs: 0 } });
  const progress = { phase: 'read', done: 200, total: 400, unit: 'bytes' };
  const phase = { n: 1, name: 'read', done: 200, total: 400, unit: 'bytes', startedSecondsAgo: 1 };
  await call('postRunnerJobProgress', { token, body: { progress, phases: [phase] } });
  const line = {
    at: '2026-01-15T09:30:00.000Z',
    level: 'info',
    message: 'Reading piers.geojson.',
    operation: 1,
  };
  await call('postRunnerJobLog', { token, body: { first: 0, entries: [line] } });
  await call('getRunnerJobInput', as);
  await call('getRunnerJobInputPlace', as);
  const rejects = Buffer.from(cities);
  const bytes = { 'content-type': 'application/octet-stream' };
  await call('putRunnerJobFile', {
    token,
    query: { name: 'rejects.geojson', rejected: 2 },
    headers: bytes,
    body: rejects,
  });
  await call('putRunnerJobOutput', {
    token,
    query: { key: 'piers.pmtiles' },
    headers: bytes,
    body: Buffer.from('PMTiles'),
  });
  await call('putRunnerJobOutputPart', {
    token,
    query: { key: 'legend.json', size: 2, offset: 0 },
    headers: bytes,
    body: Buffer.from('{}'),
  });
  await call('getRunnerJobOutputPart', { token, query: { key: 'legend.json' } });
  const thumbnail = Buffer.from('PNG');
  const entry = encodeTarFile({ path: 'thumbnail.png', size: 3, updatedAt: new Date(0) }, thumbnail);
  await call('putRunnerJobOutputs', {
    token,
    query: { first: 2 },
    headers: { 'content-type': 'application/x-tar' },
    body: Buffer.concat([...entry, tarEnd]),
  });
  await call('getRunnerJobOutputs', { token });
  await call('postRunnerOpenJobs', { token: runner, body: { jobIds: [ids['jobId']] } });
  await call('postRunnerJobComplete', {
    token,
    body: {
      datasource: {
        type: 'vectortiles',
        path: 'piers.pmtiles',
        bbox: [-78.5, -0.2, 13.4, 52.5],
        typeProperties: { minZoom: 0, maxZoom: 14 },
        properties: { numberOfFeatures: 2 },
      },
      warnings: [{ code: 'unknownType', message: 'A property has an unknown type.', count: 1, examples: [] }],
    },
  });
  ids['operationId'] = '1-1';
  const { outputItems } = await call('getProjectJob');
  ids['tilesId'] = (outputItems as { datasourceId?: string }[]).find(
    (output) => output.datasourceId,
  )!.datasourceId!;
}

/** The two other ways in which a runner gives a job back. */
async function recordEndings({ call }: Recorder, runner: string): Promise<void> {
  for (const end of ['postRunnerJobRelease', 'postRunnerJobFail'] as const) {
    const { job } = await call('postRunnerClaim', { token: runner, body: { waitSeconds: 0 } });
    const { jobId, token } = job as { jobId: string; token: string };
    const body = { code: 'noSpace', message: 'The disk of the runner is full.', warnings: [] };
    await call(end, { token, path: { jobId }, ...(end === 'postRunnerJobFail' && { body }) });
  }
}

/** An inspection of a file, and of a folder, whose members the runner lists. */
async function recordInspection({ call }: Recorder, runner: string): Promise<void> {
  const claim = async (key: string) => {
    const query = { key, waitSeconds: 0 };
    await call('postProjectDataBucketInspect', { query });
    const { job } = await call('postRunnerClaim', { token: runner, body: { waitSeconds: 0 } });
    return job as { jobId: string; token: string };
  };
  const layer = {
    name: 'piers',
    geometryTypes: ['Point'],
    featureCount: 2,
    isEstimated: false,
    crs: { code: 'EPSG:4326', name: 'WGS 84', isGuessed: false },
    bbox: [-78.5, -0.2, 13.4, 52.5],
    isBboxEstimated: false,
    fields: [{ name: 'name', type: 'string', examples: ['Berlin', 'Quito'] }],
  };
  const report = {
    format: 'geojson',
    formatTitle: 'GeoJSON',
    kind: 'vector',
    layers: [layer],
    issues: [],
    uses: [],
  };
  const { features } = JSON.parse(cities) as { features: object[] };
  const samples = [{ layer: 'piers', isWhole: true, features }];
  const file = await claim('piers.geojson');
  await call('postRunnerJobComplete', {
    token: file.token,
    path: { jobId: file.jobId },
    body: { report, samples, warnings: [] },
  });
  await call('postProjectDataBucketInspect', { query: { key: 'piers.geojson', waitSeconds: 0 } });
  const folder = await claim('folder/');
  await call('getRunnerJobInputMembers', {
    token: folder.token,
    path: { jobId: folder.jobId, index: '0' },
  });
}
