import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { startService } from '../testing.ts';
import { readDocs } from './docs.ts';

const service = await startService();
const get = (url: string, headers: Record<string, string> = {}) =>
  service.app.inject({ method: 'GET', url, headers });

test('the page allows scripts, styles, pictures and requests of its own origin, and nothing inline', async () => {
  const { statusCode, headers, body } = await get('/');
  assert.equal(statusCode, 200);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(
    headers['content-security-policy'],
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
      "font-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  );
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['referrer-policy'], 'same-origin');
  assert.doesNotMatch(body, /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|https?:/);
});

test('everything the page names is there, with its type', async () => {
  const { body } = await get('/');
  const paths = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
  assert.ok(paths.length > 10);
  for (const path of paths) {
    const { statusCode, headers } = await get(path);
    assert.equal(statusCode, 200, path);
    const expected = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }[
      posix.extname(path)
    ];
    assert.ok(headers['content-type']?.toString().startsWith(expected ?? 'application/json'), path);
    assert.equal(headers['x-content-type-options'], 'nosniff', path);
  }
});

test('the scripts import only each other, by addresses the page has the browser fetch at once', async () => {
  const { body: page } = await get('/');
  const preloaded = [...page.matchAll(/rel="modulepreload" href="([^"]+)"/g)].map((match) => match[1]!);
  const reached = new Set<string>();
  const follow = async (path: string): Promise<void> => {
    if (reached.has(path)) return;
    reached.add(path);
    const { body } = await get(path);
    assert.doesNotMatch(body, /\binterface \w+|\bimport type\b|innerHTML|insertAdjacentHTML/, path);
    for (const [, target] of body.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)) {
      assert.match(target!, /^\.\/[\w-]+\.js$/, path);
      await follow(posix.join(posix.dirname(path), target!));
    }
  };
  await follow('/web/main.js');
  reached.delete('/web/main.js');
  assert.deepEqual([...reached].toSorted(), preloaded.toSorted());
});

test('the page tells whether a session came along, so that the browser need not ask in vain', async () => {
  const signedIn = await service.app.inject({
    method: 'POST',
    url: '/api/v1/session',
    payload: { username: 'admin', password: 'correct horse battery' },
  });
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0]!;
  const [without, withSession] = [await get('/'), await get('/', { cookie })];
  assert.match(without.body, /data-session="no"/);
  assert.match(withSession.body, /data-session="yes"/);
  assert.match(String(without.headers.vary), /cookie/);
  const { etag } = without.headers;
  assert.equal((await get('/', { 'if-none-match': String(etag) })).statusCode, 304);
  assert.equal((await get('/', { 'if-none-match': String(etag), cookie })).statusCode, 200);
});

test('nothing but the files of the page is served', async () => {
  for (const path of [
    'main.ts',
    'package.json',
    'index.html',
    '../package.json',
    '%2e%2e/package.json',
    '',
  ]) {
    assert.equal((await get(`/web/${path}`)).statusCode, 404, path);
  }
  assert.equal((await get('/docs/index.json')).statusCode, 200);
  assert.equal((await get('/docs/..%2fpackage.json')).statusCode, 404);
});

test('the documentation is listed by its headings, the way in first', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-docs-'));
  t.after(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'docs', 'decisions'), { recursive: true });
  await writeFile(join(folder, 'docs', 'decisions', '0001-a.md'), 'Text without a heading');
  await writeFile(join(folder, 'docs', 'errors.md'), 'Before\n\n# What can go wrong \n\n# Another\n');
  await writeFile(join(folder, 'CHANGELOG.md'), '# Changes\n');
  await writeFile(join(folder, 'README.md'), '# Platen\n');
  await writeFile(join(folder, 'docs', 'secret.txt'), 'no page');
  const pages = readDocs(pathToFileURL(`${folder}/`));
  assert.deepEqual(
    pages.map(({ path, title }) => [path, title]),
    [
      ['README.md', 'Platen'],
      ['errors.md', 'What can go wrong'],
      ['decisions/0001-a.md', 'decisions/0001-a.md'],
      ['CHANGELOG.md', 'Changes'],
    ],
  );
  assert.equal(pages[3]?.text, '# Changes\n');
});
