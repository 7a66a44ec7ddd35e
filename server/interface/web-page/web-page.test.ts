import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { startService } from '../../testing.ts';
import { readBuilt } from './built-files.ts';
import { readDocs } from './docs.ts';

const service = await startService();
const get = (url: string, headers: Record<string, string> = {}) =>
  service.app.inject({ method: 'GET', url, headers });

test('the page allows scripts, pictures and requests of its own origin, and styles with its nonce', async () => {
  const { statusCode, headers, body } = await get('/');
  assert.equal(statusCode, 200);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  const policy = String(headers['content-security-policy']);
  const nonce = /'nonce-([\w-]{22})'/.exec(policy)?.[1];
  assert.equal(
    policy,
    `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; ` +
      "connect-src 'self' data:; font-src 'self'; worker-src 'self'; frame-src 'self'; base-uri 'none'; " +
      "form-action 'self'; frame-ancestors 'none'",
  );
  assert.ok(body.includes(`<meta name="csp-nonce" content="${nonce}" />`));
  assert.equal(headers['cache-control'], 'no-store');
  assert.notEqual((await get('/')).headers['content-security-policy'], policy);
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['referrer-policy'], 'same-origin');
  assert.doesNotMatch(body, /<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)|https?:/);
});

test('the interface is at each of its addresses, and at no other', async () => {
  for (const path of [
    '/login',
    '/maps',
    '/me',
    '/p/some/files',
    '/p/some/module/one',
    '/admin',
    '/admin/users',
  ]) {
    assert.match((await get(path)).body, /<div id="app">/, path);
  }
  for (const path of ['/nothing', '/api/v1/nothing', '/app', '/loginx']) {
    assert.equal((await get(path)).statusCode, 404, path);
  }
});

test('everything the page names exists with its type, and scripts and styles are cached permanently', async () => {
  const { body } = await get('/');
  const paths = [...body.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
  assert.ok(paths.length > 5);
  for (const path of paths) {
    const { statusCode, headers } = await get(path);
    assert.equal(statusCode, 200, path);
    const expected = { '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' }[
      posix.extname(path)
    ];
    assert.ok(headers['content-type']?.toString().startsWith(expected ?? 'application/json'), path);
    assert.equal(headers['x-content-type-options'], 'nosniff', path);
    const isKept = path.startsWith('/web/assets/');
    assert.match(String(headers['cache-control']), isKept ? /immutable/ : /no-cache|max-age/, path);
    const again = await get(path, { 'if-none-match': String(headers.etag) });
    if (headers.etag) assert.equal(again.statusCode, 304, path);
  }
});

test('scripts are sent as small as the browser takes them', async () => {
  const { body } = await get('/');
  // the first one only begins what those that it names go on with
  const path = /rel="modulepreload"[^>]* href="([^"]+assets\/first[^"]+\.js)"/.exec(body)![1]!;
  const plain = await get(path);
  for (const encoding of ['br', 'gzip']) {
    const { headers, rawPayload } = await get(path, { 'accept-encoding': encoding });
    assert.equal(headers['content-encoding'], encoding);
    assert.ok(rawPayload.length < plain.rawPayload.length / 2);
  }
});

test('the page says whether a session cookie was sent, and the facts that all pages need', async () => {
  const signedIn = await service.app.inject({
    method: 'POST',
    url: '/api/v1/session',
    payload: { username: 'admin', password: 'correct horse battery' },
  });
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0]!;
  const [out, signed] = [(await get('/')).body, (await get('/', { cookie })).body];
  assert.match(out, /data-session="no"/);
  assert.match(signed, /data-session="yes"/);
  const preloaded = (html: string) =>
    [...html.matchAll(/modulepreload[^>]* href="([^"]+)"/g)].map(([, path]) => path!);
  const frame = preloaded(signed).filter((path) => !preloaded(out).includes(path));
  assert.ok(frame.some((path) => path.includes('/AppShell-')));
  for (const path of frame) assert.equal((await get(path)).statusCode, 200, path);
});

test('only the files of the page are served', async () => {
  for (const path of [
    'main.ts',
    'package.json',
    'index.html',
    '.stamp',
    '.vite/manifest.json',
    'assets/',
    'assets/../index.html',
    '../../package.json',
    '%2e%2e/package.json',
    'assets/%2e%2e/%2e%2e/package.json',
    '',
  ]) {
    assert.equal((await get(`/web/${path}`)).statusCode, 404, path);
  }
  assert.equal((await get('/docs/index.json')).statusCode, 200);
  assert.equal((await get('/docs/..%2fpackage.json')).statusCode, 404);
});

test('without a built interface only the interface is missing', () => {
  assert.equal(readBuilt(join(tmpdir(), 'platen-nothing-here')), undefined);
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
  const pages = await readDocs(pathToFileURL(`${folder}/`));
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
