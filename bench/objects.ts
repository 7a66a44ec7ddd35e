import { join } from 'node:path';
import pg from 'pg';
import { runService, type RunningService } from '@platen/e2e/processes';
import { median } from './load.ts';
import { print } from './report.ts';

const count = Number(process.env['BENCH_OBJECTS'] ?? 1_000_000);
const few = 1000;
const rounds = 9;
const uploads = 200;

interface Bucket {
  readonly name: string;
  /** Of the i-th file, as SQL. */
  readonly key: string;
  readonly files: number;
}

const endings = `(array['json', 'geojson', 'tif', 'las'])[1 + i % 4]`;
const flatKey = `'file-' || lpad(((i::bigint * 7919) % ${count})::text, 7, '0') || '.' || ${endings}`;
const buckets = [
  { name: 'flat', key: flatKey, files: count },
  { name: 'tiles', key: `(i % 16) || '/' || (i / 16) % 1000 || '/' || i || '.pbf'`, files: count },
  { name: 'few', key: flatKey, files: few },
] as const satisfies readonly Bucket[];

const [first, middle, deepest] = [0, Math.floor(count / 40), Math.floor(count / 20) - 1];

interface Case {
  readonly bucket: (typeof buckets)[number]['name'];
  readonly query: Readonly<Record<string, string>>;
  readonly page: number;
}

const lists: readonly Omit<Case, 'page'>[] = [
  { bucket: 'flat', query: {} },
  { bucket: 'flat', query: { delimiter: '/' } },
  { bucket: 'flat', query: { delimiter: '/', orderBy: 'type' } },
  { bucket: 'flat', query: { orderBy: 'size', sort: 'desc' } },
  { bucket: 'flat', query: { orderBy: 'createdAt', sort: 'desc' } },
  { bucket: 'flat', query: { orderBy: 'updatedAt' } },
  { bucket: 'flat', query: { orderBy: 'createdBy' } },
  { bucket: 'tiles', query: {} },
  { bucket: 'tiles', query: { orderBy: 'size' } },
];
const narrowed: readonly Omit<Case, 'page'>[] = [
  { bucket: 'flat', query: { prefix: 'file-00' } },
  { bucket: 'flat', query: { prefix: 'file-' } },
  { bucket: 'flat', query: { ending: '.tif' } },
  { bucket: 'flat', query: { ending: '777.tif' } },
  { bucket: 'flat', query: { prefix: 'file-0', ending: '.tif', delimiter: '/' } },
  { bucket: 'tiles', query: { delimiter: '/' } },
  { bucket: 'tiles', query: { delimiter: '/', prefix: '7/' } },
  { bucket: 'tiles', query: { delimiter: '/', prefix: '7/', orderBy: 'size' } },
  { bucket: 'tiles', query: { prefix: '7/1' } },
  { bucket: 'tiles', query: { prefix: '7/', orderBy: 'size' } },
  { bucket: 'tiles', query: { ending: '.pbf' } },
  { bucket: 'few', query: {} },
];
const pageOf = ({ bucket, query }: Omit<Case, 'page'>, page: number): Case => ({ bucket, query, page });
const cases: readonly Case[] = [
  ...lists.flatMap((list) => [first, middle, deepest].map((page) => pageOf(list, page))),
  ...narrowed.map((list) => pageOf(list, first)),
];

/** Lists of a bucket with a million files (BENCH_OBJECTS), the same of a thousand, and what is done to all of them at once. */
export async function benchObjects(): Promise<void> {
  const service = await runService({ env: { PLATEN_RUNNERS: '0' } });
  const database = new pg.Client({ connectionString: databaseUrl(service) });
  await database.connect();
  try {
    const { client } = service;
    const body = { name: 'Bench', description: '', bbox: [-180, -85, 180, 85] };
    const { _id: projectId } = await client.postProject({ body });
    const ids = new Map<string, string>();
    for (const bucket of buckets) {
      const { _id } = await client.postProjectDataBucket({
        params: { projectId },
        body: { name: bucket.name },
      });
      ids.set(bucket.name, _id);
      await fill(database, { projectId, bucketId: _id, bucket });
    }
    await database.query('vacuum analyze'); // as PostgreSQL does by itself a minute later
    const at = (name: string) => ({ projectId, dataBucketId: ids.get(name)! });
    await compareLists(service, at);
    await compareUploads(service, projectId);
    await timeTransfers(service, at('tiles'));
  } finally {
    await database.end();
    await service.stop();
  }
}

type At = (bucket: string) => { projectId: string; dataBucketId: string };

async function compareLists(service: RunningService, at: At): Promise<void> {
  const ask = async ({ bucket, query, page }: Case): Promise<number> => {
    const { projectId, dataBucketId } = at(bucket);
    const search = new URLSearchParams({ ...query, page: String(page) }).toString();
    const url = `${service.url}/api/v1/project/${projectId}/data-bucket/${dataBucketId}/objects?${search}`;
    const start = performance.now();
    const reply = await fetch(url, { headers: { authorization: `Bearer ${service.token}` } });
    const { totalCount } = (await reply.json()) as { totalCount?: number };
    if (totalCount === undefined) throw new Error(`The list was answered by ${reply.status}.`);
    return performance.now() - start;
  };
  const times = new Map<Case, number[]>(cases.map((one) => [one, []]));
  for (let round = -1; round < rounds; round++) {
    for (const one of cases) {
      const ms = await ask(one);
      if (round >= 0) times.get(one)!.push(ms);
    }
  }
  const baseline = median(times.get(cases.at(-1)!)!);
  for (const one of cases) {
    const ms = median(times.get(one)!);
    const maxMs = one.page === first ? 60 : 500;
    const query = new URLSearchParams(one.query).toString() || 'all';
    print(
      `${one.bucket} ${query}, page ${one.page}: ${ms.toFixed(1)} ms, ${(ms / baseline).toFixed(1)} × of a thousand files (target: < ${maxMs} ms) ${ms < maxMs ? '✓' : '✗'}`,
    );
  }
}

/** All into one bucket, which count into the same folder, beside as many into a bucket each. */
async function compareUploads({ client }: RunningService, projectId: string): Promise<void> {
  const made: string[] = [];
  for (let index = 0; index < uploads; index++)
    made.push(
      (await client.postProjectDataBucket({ params: { projectId }, body: { name: `${index}` } }))._id,
    );
  const upload = (dataBucketId: string, key: string) => {
    const form = new FormData();
    form.append('file', new Blob([key]), key);
    return client.postProjectDataBucketUpload({ params: { projectId, dataBucketId }, body: form });
  };
  const time = async (bucketOf: (index: number) => string, name: string) => {
    const start = performance.now();
    await Promise.all(made.map((_, index) => upload(bucketOf(index), `folder/${name}-${index}.txt`)));
    return performance.now() - start;
  };
  const ratios: number[] = [];
  for (let round = -1; round < rounds; round++) {
    const each = await time((index) => made[index]!, `each-${round}`);
    const one = await time(() => made[0]!, `one-${round}`);
    if (round >= 0) ratios.push(one / each);
  }
  print(
    `${uploads} uploads at once: into one bucket ${median(ratios).toFixed(2)} × the time of into a bucket each`,
  );
}

async function timeTransfers({ client }: RunningService, params: ReturnType<At>): Promise<void> {
  const time = async (what: string, work: () => Promise<unknown>) => {
    const start = performance.now();
    await work();
    print(`${what}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  };
  const files = (part: number) => `${Math.round(part).toLocaleString('en')} files`;
  const sixteenth = count / 16;
  const body = { key: '7/', to: 'copied/' };
  await time(`copy of ${files(sixteenth)}`, () => client.postProjectDataBucketObjectCopy({ params, body }));
  for (let folder = 0; folder < 16; folder++) {
    // together under one folder, which is deleted as a whole
    const part = { key: `${folder}/`, to: `all/${folder}/` };
    const step = () => client.postProjectDataBucketObjectMove({ params, body: part });
    if (folder === 0) await time(`move of ${files(sixteenth)}`, step);
    else await step();
  }
  const remove = () => client.deleteProjectDataBucketObject({ params, query: { key: 'all/' } });
  await time(`deletion of ${files(count)}`, remove);
}

async function fill(
  database: pg.Client,
  { projectId, bucketId, bucket }: { projectId: string; bucketId: string; bucket: Bucket },
): Promise<void> {
  const at = `now() + i * interval '1 ms'`;
  const start = performance.now();
  await database.query(
    `insert into blob (id, project_id, size, sha256, created_at)
    select left('${bucketId}', 14) || lpad(i::text, 10, '0'), '${projectId}', i % 9973, sha256(i::text::bytea), now()
    from generate_series(1, ${bucket.files}) i`,
  );
  await database.query(
    `insert into object (project_id, bucket_id, key, blob_id, size, sha256, content_type,
      created_at, created_by, updated_at, updated_by)
    select '${projectId}', '${bucketId}', ${bucket.key}, left('${bucketId}', 14) || lpad(i::text, 10, '0'), i % 9973,
      sha256(i::text::bytea), 'application/octet-stream', ${at}, 'user' || i % 7, ${at}, 'user' || i % 5
    from generate_series(1, ${bucket.files}) i`,
  );
  print(
    `${bucket.name}: ${bucket.files} files written in ${((performance.now() - start) / 1000).toFixed(1)} s`,
  );
}

/** The embedded PostgreSQL of a service. */
function databaseUrl({ dataFolder }: RunningService): string {
  return `postgresql:///postgres?user=platen&host=${encodeURIComponent(join(dataFolder, 'postgres/run'))}`;
}
