import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { download } from './download.ts';
import { fileNameOf } from './file-name.ts';
import { request } from './request.ts';
import { parseEgressPolicy } from './policy.ts';

const bytes = randomBytes(300_000);
const policy = parseEgressPolicy('http 127.0.0.1/32');

async function serve(t: TestContext, answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-web-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const signal = AbortSignal.timeout(60_000);

/** Downloads into `file` of the folder. */
const fetchTo = (folder: string, url: string, allowed = policy) =>
  download({ url, path: join(folder, 'file'), maxBytes: 1_000_000, policy: allowed, signal });

test('only public addresses are allowed, however they are written', () => {
  const { isAllowed, allowsHttp } = parseEgressPolicy('');
  assert.equal(allowsHttp, false);
  for (const address of ['93.184.215.14', '8.8.8.8', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'])
    assert.equal(isAllowed(address), true, address);
  const closed = `127.0.0.1 127.9.9.9 0.0.0.0 10.1.2.3 172.31.0.1 192.168.1.1 169.254.169.254 100.64.0.1 100.100.100.200 168.63.129.16 fd00:ec2::254 224.0.0.1
    255.255.255.255 192.0.2.1 198.18.0.1 :: ::1 ::ffff:127.0.0.1 ::ffff:8.8.8.8 ::127.0.0.1 fe80::1 fd00::1 ff02::1
    64:ff9b::7f00:1 2002:7f00:1:: 2001:0:1:: 2001:db8::1 localhost 127.1`;
  for (const address of ['', ...closed.split(/\s+/)]) assert.equal(isAllowed(address), false, address);
});

test('an operator allows networks, and an invalid word is refused and named', () => {
  const { isAllowed, allowsHttp } = parseEgressPolicy('http 10.20.0.0/16, fd12::/16');
  assert.equal(allowsHttp, true);
  assert.deepEqual(['10.20.1.1', '10.21.1.1', 'fd12::5', 'fd13::5'].map(isAllowed), [
    true,
    false,
    true,
    false,
  ]);
  for (const word of ['10.0.0.0', 'https', '10.0.0.0/33', 'fd12::/129', '10.0.0.0/-1', '*'])
    assert.throws(() => parseEgressPolicy(word), new RegExp(`not “${word.replace('*', '\\*')}”`));
});

test('an interrupted download resumes where it stopped', async (t) => {
  const asked: (string | undefined)[] = [];
  const base = await serve(t, ({ headers }, response) => {
    asked.push(headers.range);
    const start = Number(/\d+/.exec(headers.range ?? '0')![0]);
    response.statusCode = start > 0 ? 206 : 200;
    if (start > 0) response.setHeader('content-range', `bytes ${start}-${bytes.length - 1}/${bytes.length}`);
    response.setHeader('etag', '"one"');
    response.setHeader('content-length', bytes.length - start);
    if (asked.length < 3) {
      response.write(bytes.subarray(start, start + 100_000), () => response.destroy());
    } else response.end(bytes.subarray(start));
  });
  const folder = await folderFor(t);
  await fetchTo(folder, `${base}/a.bin`);
  assert.ok((await readFile(join(folder, 'file'))).equals(bytes));
  assert.equal(asked[0], undefined);
  assert.match(asked.at(-1)!, /^bytes=[1-9]\d*-$/);
});

test('a download restarts if the file has changed in between', async (t) => {
  let requests = 0;
  const base = await serve(t, (_request, response) => {
    response.setHeader('etag', `"${++requests}"`);
    response.setHeader('content-length', bytes.length);
    if (requests === 1) response.write(Buffer.alloc(200_000, 1), () => response.destroy());
    else response.end(bytes);
  });
  const folder = await folderFor(t);
  await fetchTo(folder, `${base}/a.bin`);
  assert.ok((await readFile(join(folder, 'file'))).equals(bytes));
});

test('a public server cannot redirect a request into the private network', async (t) => {
  let isReached = false;
  const inner = createServer((_request, response) => {
    isReached = true;
    response.end('secret');
  }).listen(0, '127.0.0.2');
  await new Promise((resolve) => inner.once('listening', resolve));
  t.after(() => inner.close());
  const { port } = inner.address() as AddressInfo;
  const target = `http://127.0.0.2:${port}/`;
  const base = await serve(t, (_request, response) => {
    response.writeHead(302, { location: target }).end();
  });
  const folder = await folderFor(t);
  const refused = { code: 'privateAddress' };
  await assert.rejects(fetchTo(folder, `${base}/`), refused);
  await assert.rejects(fetchTo(folder, target), refused);
  const named = { policy, signal, headers: {} };
  // one address is allowed, the other is not
  const resolve = async () => ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
  await assert.rejects(request(`http://both.test:${port}/`, { ...named, resolve }), refused);
  for (const host of ['2130706434', '0x7f.2', '127.2', '[::ffff:127.0.0.2]', '[::1]', '0'])
    await assert.rejects(fetchTo(folder, `http://${host}:${port}/`), refused, host);
  assert.equal(isReached, false);
  assert.deepEqual(await readdir(folder), ['file']);
});

test('the connection goes to the checked address, even if the name resolves to another one later', async (t) => {
  const base = await serve(t, (_request, response) => response.end('checked'));
  let lookups = 0;
  const resolve = async () => [{ address: ++lookups === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
  const url = base.replace('127.0.0.1', 'rebinding.test');
  const response = await request(url, { policy, signal, headers: {}, resolve });
  assert.equal(response.statusCode, 200);
  response.destroy();
  assert.equal(lookups, 1);
});

test('an address that cannot be used says why', async (t) => {
  const base = await serve(t, ({ url = '' }, response) => {
    if (url.startsWith('/loop')) response.writeHead(301, { location: '/loop' }).end();
    else response.writeHead(Number(url.slice(1)) || 404).end();
  });
  const folder = await folderFor(t);
  const codeOf = async (url: string, allowed = policy) =>
    fetchTo(folder, url, allowed).then(
      () => 'fetched',
      ({ code }: { code: string }) => code,
    );
  assert.equal(await codeOf(`${base}/loop`), 'tooManyRedirects');
  assert.equal(await codeOf(`${base}/404`), 'cannotFetch');
  assert.equal(await codeOf(`${base}/401`), 'cannotFetch');
  assert.equal(await codeOf('ftp://127.0.0.1/a'), 'badUrl');
  assert.equal(await codeOf(base.replace('//', '//user:secret@')), 'badUrl');
  assert.equal(await codeOf(base, parseEgressPolicy('127.0.0.1/32')), 'notHttps');
});

test('a downloaded file gets a plain file name', () => {
  const at = (path: string, disposition?: string) => fileNameOf(`https://example.org${path}`, disposition);
  assert.equal(at('/data/roads.gpkg?v=1'), 'roads.gpkg');
  assert.equal(at('/data/a%2Fb.gpkg'), 'b.gpkg');
  assert.equal(at('/'), 'download');
  assert.equal(at('/x', 'attachment; filename="../../etc/passwd"'), 'passwd');
  assert.equal(at('/x', 'attachment; filename="..\\..\\a.zip"'), 'a.zip');
  assert.equal(at('/x', 'attachment; filename=plain.zip'), 'plain.zip');
  assert.equal(at('/x', 'attachment; filename=".."'), 'x');
  assert.equal(at('/x', 'attachment; filename=" .."'), 'x');
  assert.equal(at('/x', 'attachment; filename=". .a"'), 'a');
  assert.equal(at('/%E0%A4%A'), '%E0%A4%A');
  assert.ok(Buffer.byteLength(at('/x', `attachment; filename="${'é'.repeat(5000)}.zip"`)) <= 200);
  assert.ok(at('/x', `attachment; filename="${'é'.repeat(5000)}.zip"`).endsWith('.zip'));
});
