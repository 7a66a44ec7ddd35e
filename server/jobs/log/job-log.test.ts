import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { JobLogPage } from '@platen/contract/job-log';
import { sql } from 'kysely';
import { holdJobs, phase } from '../job-operations/testing.ts';
import { appendServiceLog, linesAtEachEnd } from '../queue/progress.ts';
import { startService } from '../../testing.ts';

const service = await startService();
const { admin, adminToken, app, context } = service;
const { newJob, hold } = await holdJobs(service);

beforeEach(() => context.db.deleteFrom('job').execute());

interface Path {
  readonly projectId: string;
  readonly jobId: string;
}

const read = (params: Path, query: Parameters<typeof admin.getProjectJobLog>[0]['query'] = {}) =>
  admin.getProjectJobLog({ params, query });
const seqs = ({ items }: JobLogPage) => items.map(({ seq }) => seq);
const messages = ({ items }: JobLogPage) => items.map(({ message }) => message);
const end = 2_147_483_647;

/** As many lines as that, with an error in each thousand, written as quickly as the database can. */
async function fill({ jobId }: Path, count: number): Promise<void> {
  await sql`insert into job_log (job_id, seq, at, level, message, attempt, operation)
    select ${jobId}, n, now(), case when n % 1000 = 0 then 'error' when n % 10 = 0 then 'debug' else 'info' end,
      concat('Line ', n, ' of a file with a name, which has been read.'), 1, 1
    from generate_series(1, ${count}::int) n`.execute(context.db);
  await sql`update job set log_seq = ${count}, log_received = ${count} where id = ${jobId}`.execute(
    context.db,
  );
}

test('a log is followed by the number of the last line, and read backwards from its end', async () => {
  await newJob();
  const { path, write } = await hold();
  await write(
    0,
    Array.from({ length: 25 }, (_, i) => ({ message: `line ${i + 1}` })),
  );
  const first = await read(path, { limit: 10 });
  assert.deepEqual(seqs(first), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  assert.deepEqual([first.nextAfter, first.nextBefore, first.lastSeq], [10, undefined, 25]);
  const rest = await read(path, { after: 20 });
  assert.deepEqual([seqs(rest), rest.nextAfter, rest.nextBefore], [[21, 22, 23, 24, 25], 25, 21]);
  assert.deepEqual(
    [seqs(await read(path, { after: 25 })), (await read(path, { after: 25 })).nextAfter],
    [[], 25],
  );
  const last = await read(path, { before: end, limit: 10 });
  assert.deepEqual(seqs(last), [16, 17, 18, 19, 20, 21, 22, 23, 24, 25]);
  assert.deepEqual([last.nextAfter, last.nextBefore], [25, 16]);
  const before = await read(path, { before: last.nextBefore!, limit: 15 });
  assert.deepEqual([seqs(before).length, before.nextBefore], [15, undefined]);
  assert.deepEqual(seqs(await read(path, { after: 3, before: 6 })), [4, 5]);
});

test('lines are found by level and by text, whatever its case and without patterns, and counted by level', async () => {
  await newJob();
  const { path, write } = await hold();
  await write(0, [
    { message: 'Read 50% of a_b', level: 'info' },
    { message: 'Read 501 of aXb', level: 'debug' },
    { message: 'Straße ÄÖ\\', level: 'warning', data: { street: 1 } },
    { message: 'Broken', level: 'error' },
  ]);
  assert.deepEqual(seqs(await read(path, { search: 'read' })), [1, 2]);
  assert.deepEqual(seqs(await read(path, { search: '50%' })), [1]);
  assert.deepEqual(seqs(await read(path, { search: 'A_B' })), [1]);
  assert.deepEqual(seqs(await read(path, { search: 'straße äö\\' })), [3]);
  assert.deepEqual(seqs(await read(path, { level: ['warning', 'error'] })), [3, 4]);
  assert.deepEqual(seqs(await read(path, { level: ['error', 'info'] })), [1, 4]);
  assert.deepEqual(seqs(await read(path, { level: ['error'], before: end, limit: 1 })), [4]);
  assert.deepEqual(seqs(await read(path, { level: ['debug'], search: '50%' })), []);
  const { totals } = await read(path, { search: 'nothing' });
  assert.deepEqual(totals, { debug: 1, info: 1, warning: 1, error: 1 });
});

test('lines name the operation in which they were written, also those of the service, in one sequence', async () => {
  await newJob();
  const { path, reportPhases, write, fail, jobId } = await hold();
  await appendServiceLog(context.db, { jobId, level: 'info', message: 'before any', now: context.now() });
  await reportPhases([phase(1, 'read', { endedSecondsAgo: 0 }), phase(2, 'cut')]);
  await write(0, [
    { message: 'reading', operation: 1 },
    { message: 'cutting', operation: 2 },
  ]);
  await fail();
  const log = await read(path);
  assert.deepEqual(
    log.items.map(({ seq, message, attempt, operation }) => [seq, message, attempt, operation]),
    [
      [1, 'before any', 1, undefined],
      [2, 'reading', 1, '1-1'],
      [3, 'cutting', 1, '1-2'],
      [4, 'It is broken.', 1, '1-2'],
    ],
  );
  assert.deepEqual(log.totals, { debug: 0, info: 3, warning: 0, error: 1 });
  const ofCut = await admin.getProjectJobOperationLog({ params: { ...path, operationId: '1-2' } });
  assert.equal(ofCut.headers.get('content-type'), 'text/plain; charset=utf-8');
  const lines = (await ofCut.text()).trimEnd().split('\n');
  assert.deepEqual(
    lines.map((line) => line.slice(39)),
    ['cutting', 'It is broken.'],
  );
  assert.deepEqual(messages(await read(path, { operation: '1-2' })), ['cutting', 'It is broken.']);
  assert.deepEqual(messages(await read(path, { operation: '1-1', before: end })), ['reading']);
  assert.deepEqual(messages(await read(path, { operation: '3-1' })), []);
  await assert.rejects(read(path, { operation: 'cut' }), { status: 400 });
  await assert.rejects(admin.getProjectJobOperationLog({ params: { ...path, operationId: '1-3' } }), {
    status: 404,
  });
});

test('a search reads a limited number of lines, and says where to continue until all are read', async () => {
  await newJob();
  const { path, write } = await hold();
  await fill(path, 30_000);
  await write(30_000, [{ message: 'the Needle' }]);
  const first = await read(path, { search: 'needle' });
  assert.deepEqual([first.items, first.nextAfter, first.lastSeq], [[], 5000, 30_001]);
  const found: number[] = [];
  let looks = 0;
  for (let after = 0, isOver = false; !isOver; looks++) {
    const page = await read(path, { search: 'needle', after });
    found.push(...seqs(page));
    isOver = page.nextAfter >= page.lastSeq;
    after = page.nextAfter;
  }
  assert.deepEqual([found, looks], [[30_001], 7]);
  const backwards: number[] = [];
  for (let before: number | undefined = end; before !== undefined;) {
    const page: JobLogPage = await read(path, { level: ['debug'], before, limit: 700 });
    backwards.unshift(...seqs(page));
    before = page.nextBefore;
  }
  assert.equal(backwards.length, 2970);
  assert.deepEqual(
    backwards,
    backwards.toSorted((a, b) => a - b),
  );
  // errors are few, and have an index of their own: one look finds them all
  const errors = await read(path, { level: ['error'] });
  assert.deepEqual([errors.items.length, errors.nextAfter], [30, 30_001]);
});

test('a full log loses its middle, says so there, and keeps the last lines, also those of the service', async () => {
  await newJob();
  const { path, write, fail } = await hold();
  const maxLines = 2 * linesAtEachEnd;
  await fill(path, maxLines - 1);
  await write(maxLines - 1, [{ message: 'just fits' }]);
  assert.equal(
    messages(await read(path, { after: linesAtEachEnd, limit: 1 }))[0]?.startsWith('Line 50001 '),
    true,
  );
  await write(
    maxLines,
    Array.from({ length: 300 }, (_, i) => ({ message: `late ${i}`, level: 'warning' as const })),
  );
  await write(maxLines + 300, [{ message: 'the last one' }]);
  await fail();
  const { items } = await read(path, { after: linesAtEachEnd - 1, limit: 3 });
  assert.deepEqual(
    items.map(({ seq, level }) => [seq, level]),
    [
      [linesAtEachEnd, 'error'],
      [linesAtEachEnd + 1, 'warning'],
      [linesAtEachEnd + 302, 'info'],
    ],
  );
  assert.match(items[1]!.message, /^301 lines were removed here/);
  const last = await read(path, { before: end, limit: 2 });
  assert.deepEqual(messages(last), ['the last one', 'It is broken.']);
  assert.equal(last.lastSeq, maxLines + 302);
  const { rows } = await sql<{ count: number }>`select count(*) from job_log`.execute(context.db);
  assert.equal(rows[0]!.count, maxLines + 2); // with the line that tells of the gap, and that of the service
});

test('lines that are sent again are taken once, also where only some had arrived', async () => {
  await newJob();
  const { path, write } = await hold();
  const lines = ['a', 'b', 'c', 'd'].map((message) => ({ message }));
  await write(0, lines.slice(0, 2));
  await write(0, lines.slice(0, 3));
  await write(0, lines.slice(0, 3));
  await write(2, lines.slice(2));
  const log = await read(path);
  assert.deepEqual(messages(log), ['a', 'b', 'c', 'd']);
  assert.equal(log.totals.info, 4);
});

test('the log is downloaded as text to read and as lines of JSON, whole', async () => {
  await newJob();
  const { path, reportPhases, write } = await hold();
  await reportPhases([phase(1, 'read')]);
  await fill(path, 4500);
  await write(4500, [{ message: 'two\nlines', level: 'warning', operation: 1, data: { a: 'ü' } }]);
  const get = (format?: 'text' | 'jsonl') =>
    admin.getProjectJobLogDownload({ params: path, query: format ? { format } : {} });
  const text = await get();
  assert.equal(text.headers.get('content-type'), 'text/plain; charset=utf-8');
  assert.equal(text.headers.get('content-disposition'), `attachment; filename="job-${path.jobId}.log"`);
  const lines = (await text.text()).split('\n');
  assert.equal(lines.length, 4500 + 2 + 1);
  assert.match(lines[0]!, /^\d{4}-\d\d-\d\dT[\d:.]+Z info {4}1-1 {3}Line 1 of /);
  assert.match(lines[4500]!, /^\S+Z warning 1-1 {3}two$/);
  assert.equal(lines[4501], '    lines {"a":"ü"}');
  const json = (await (await get('jsonl')).text()).trimEnd().split('\n');
  const { items } = await read(path, { after: 4499 });
  assert.equal(json.length, 4501);
  assert.deepEqual(
    json.slice(-2).map((line) => JSON.parse(line)),
    items,
  );
  const address = `/api/v1/project/${path.projectId}/job/${path.jobId}/log`;
  const headers = { authorization: `Bearer ${adminToken}` };
  for (const query of ['?format=xml', '?after=1'])
    assert.equal((await app.inject({ url: `${address}/download${query}`, headers })).statusCode, 400, query);
  for (const query of [
    '?level=fatal',
    '?after=-1',
    '?limit=1001',
    '?search=',
    '?before=2147483648',
    '?search=%00',
  ])
    assert.equal((await app.inject({ url: address + query, headers })).statusCode, 400, query);
});
