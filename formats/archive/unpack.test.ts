import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { crc32, gzipSync } from 'node:zlib';
import { SourceError } from '../source/source.ts';
import { mutate, seeded } from '../wkb/testing.ts';
import { infoZip, pythonZip, yazlZip, yazlZip64 } from '../zip/testing-archives.ts';
import { zipOf, type TestMember } from '../zip/testing.ts';
import { createUnpackMeter } from './unpack-meter.ts';
import { unpackGzip } from './unpack-gzip.ts';
import { unpackZip } from './unpack-zip.ts';
import { cpuTime } from '../testing-cpu-time.ts';
import { afterFile } from '../../checks/clean-up.ts';

let folder: string;
let count = 0;
const signal = new AbortController().signal;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-archive-'));
});
afterFile(() => rm(folder, { recursive: true }));

async function given(bytes: Uint8Array): Promise<{ path: string; out: string }> {
  const path = join(folder, `given-${++count}`);
  const out = join(folder, `out-${count}`);
  await writeFile(path, bytes);
  await mkdir(out);
  return { path, out };
}

async function gunzip(bytes: Uint8Array, maxBytes?: number): Promise<string> {
  const { path, out } = await given(bytes);
  const target = join(out, 'content');
  try {
    const size = await unpackGzip(path, target, { signal, ...(maxBytes && { maxBytes }) });
    const content = await readFile(target, 'latin1');
    assert.equal(content.length, size);
    return content;
  } catch (error) {
    assert.deepEqual(await readdir(out), [], 'nothing half-written stays');
    throw error;
  }
}

const fault =
  (code: string, message: RegExp) =>
  (error: unknown): boolean => {
    assert.ok(error instanceof SourceError, String(error));
    assert.equal(error.code, code);
    assert.match(error.message, message);
    return true;
  };

test('a gzip file of several members becomes one text', async () => {
  assert.equal(await gunzip(Buffer.concat([gzipSync('one '), gzipSync(''), gzipSync('two')])), 'one two');
  assert.equal(await gunzip(gzipSync('')), '');
});

test('a gzip file that is cut off, damaged or too long is refused', async () => {
  const noise = Buffer.from(Array.from({ length: 500_000 }, seeded(1).bind(undefined, 256)));
  const whole = gzipSync(noise);
  await assert.rejects(gunzip(whole.subarray(0, 300_000)), fault('brokenGzip', /cut off/));
  await assert.rejects(gunzip(whole.subarray(0, 12)), fault('brokenGzip', /cut off/));
  const damaged = Buffer.from(whole);
  damaged[damaged.length - 6]! ^= 1;
  await assert.rejects(gunzip(damaged), fault('brokenGzip', /damaged/));
  await assert.rejects(gunzip(whole, 499_999), fault('refusedZip', /permitted 0.5 MB/));
  assert.equal((await gunzip(whole, 500_000)).length, 500_000);
});

test('a high compression ratio is refused only above a size that small repetitive files do not reach', () => {
  const meter = createUnpackMeter(100, { times: 10, aboveBytes: 5000 });
  meter.count(5000);
  assert.throws(() => meter.count(1), fault('refusedZip', /more than 10 times its size/));
});

/** A zip file whose members are deflated unless they have another method. */
function deflated(members: readonly TestMember[], isLarge = false): Buffer {
  return zipOf(
    members.map((member) => ({ method: 8, ...member })),
    { isLarge },
  ).bytes;
}

async function unzip(bytes: Uint8Array, maxBytes?: number): Promise<Record<string, string>> {
  const { path, out } = await given(bytes);
  try {
    const files = await unpackZip(path, out, { signal, ...(maxBytes && { maxBytes }) });
    const entries = files.map(async (file) => {
      const content = await readFile(file.path, 'latin1');
      assert.equal(content.length, file.size);
      return [file.name, content] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  } catch (error) {
    assert.deepEqual(await readdir(out), [], 'nothing half-written stays');
    throw error;
  }
}

/** Replaces a text by one of the same length everywhere, because names occur twice. */
function replaceAll(bytes: Buffer, from: string, to: string | Buffer): Buffer {
  const copy = Buffer.from(bytes);
  for (let at = copy.indexOf(from); at >= 0; at = copy.indexOf(from, at + 1))
    copy.set(Buffer.from(to as string), at);
  return copy;
}

test('stored and deflated members are unpacked in the order of their names, without folders and system files', async () => {
  for (const zip64 of [false, true]) {
    const zip = deflated(
      [
        { name: 'b/ä.csv', content: 'b'.repeat(1e6) },
        { name: 'a.csv', content: 'a', method: 0 },
        { name: 'empty', content: '', method: 0 },
        { name: '__MACOSX/._a.csv', content: 'x' },
        { name: 'b/.DS_Store', content: 'x' },
        { name: 'Thumbs.db', content: 'x' },
        { name: 'nested.zip', content: deflated([{ name: 'x', content: 'y' }]) },
      ],
      zip64,
    );
    const files = await unzip(zip);
    assert.deepEqual(Object.keys(files), ['a.csv', 'b/ä.csv', 'empty', 'nested.zip']);
    assert.equal(files['b/ä.csv'], 'b'.repeat(1e6));
    assert.equal(files['a.csv'], 'a');
  }
});

test('archives of other programs are unpacked, even with the sizes after the data', async () => {
  assert.deepEqual(await unzip(yazlZip), {
    'folder/packed.txt': 'a'.repeat(5000),
    'folder/stored.txt': 'plain',
    'folder/streamed.txt': 'streamed',
  });
  assert.deepEqual(await unzip(yazlZip64), { 'a.csv': 'a', 'b/ä.csv': 'b'.repeat(1000) });
  assert.deepEqual(await unzip(pythonZip), {
    'm/s.txt': 'stored and streamed',
    'm/ü.csv': 'lon,lat\n'.repeat(100),
  });
  assert.deepEqual(await unzip(infoZip), { 'd/a.csv': 'lon,lat\n1,2\n', 'd/b.txt': 'x'.repeat(300) });
});

test('names are CP437 if they are neither marked nor valid as UTF-8', async () => {
  const zip = deflated([{ name: 'M_nchen.csv', content: 'x' }]);
  const name = Buffer.from('M_nchen.csv');
  name[1] = 0x81;
  const patched = replaceAll(zip, 'M_nchen.csv', name);
  for (const [signature, flags] of [
    ['PK\x03\x04', 6],
    ['PK\x01\x02', 8],
  ] as const)
    patched.writeUInt16LE(0, patched.indexOf(signature) + flags);
  assert.deepEqual(await unzip(patched), { 'München.csv': 'x' });
});

test('names that lead outside, contain hidden characters or occur twice are refused', async () => {
  const zip = deflated([
    { name: 'abcdefgh', content: 'x' },
    { name: 'other.csv', content: 'y' },
  ]);
  for (const [name, message] of [
    ['../efghi', /leads out/],
    ['a/../ghi', /leads out/],
    ['/bcdefgh', /absolute/],
    ['C:/defgh', /absolute/],
    ['abc\\efgh', /backslash/],
    ['abc\nefgh', /control character/],
    ['abc\0efgh', /control character/],
  ] as const)
    await assert.rejects(unzip(replaceAll(zip, 'abcdefgh', name.slice(0, 8))), fault('refusedZip', message));
  for (const twice of ['OTHER.csv', './ther.csv'])
    await assert.rejects(
      unzip(
        replaceAll(
          deflated([
            { name: twice === 'OTHER.csv' ? 'other.csv' : 'ther.csv', content: 'x' },
            { name: 'x'.repeat(twice.length), content: 'y' },
          ]),
          'x'.repeat(twice.length),
          twice,
        ),
      ),
      fault('refusedZip', /two of its members are called/),
    );
});

test('links, encrypted members and unknown methods are refused', async () => {
  await assert.rejects(
    unzip(deflated([{ name: 'link', content: '/etc/passwd', says: { attributes: (0o120777 << 16) >>> 0 } }])),
    fault('refusedZip', /a link or a device/),
  );
  const zip = deflated([{ name: 'a', content: 'x' }]);
  const directory = zip.indexOf('PK\x01\x02');
  const encrypted = Buffer.from(zip);
  encrypted[directory + 8]! |= 1;
  await assert.rejects(
    unzip(encrypted),
    fault('unsupported', /encrypted: create the zip file without a password/),
  );
  const lzma = Buffer.from(zip);
  lzma[directory + 10] = 14;
  await assert.rejects(unzip(lzma), fault('unsupported', /compressed with method 14/));
});

test('more than 10,000 members are refused', async () => {
  const members = Array.from({ length: 10_001 }, (_, i) => ({
    name: `${i}/`.slice(0, -1),
    content: '',
    method: 0,
  }));
  await assert.rejects(unzip(deflated(members)), fault('refusedZip', /more than 10000 members/));
});

test('a zip bomb is refused by its real size, whatever its directory claims', async () => {
  const zip = deflated([{ name: 'bomb.csv', content: Buffer.alloc(120e6) }]);
  assert.ok(zip.length < 200_000);
  await assert.rejects(unzip(zip), fault('refusedZip', /more than 200 times/));
  const lying = Buffer.from(zip);
  lying.writeUInt32LE(10, zip.lastIndexOf('PK\x01\x02') + 24);
  await assert.rejects(unzip(lying), fault('refusedZip', /more than 200 times/));
  await assert.rejects(unzip(zip, 1e6), fault('refusedZip', /permitted 1 MB/));
});

test('members that share their bytes count each time they are unpacked', async () => {
  const zip = deflated(
    Array.from({ length: 30 }, (_, i) => ({ name: `m${i + 10}`, content: Buffer.alloc(i === 0 ? 9e6 : 1) })),
  );
  const shared = Buffer.from(zip);
  const first = zip.indexOf('PK\x01\x02');
  for (let at = zip.indexOf('PK\x01\x02', first + 1); at >= 0; at = zip.indexOf('PK\x01\x02', at + 1))
    for (const field of [16, 20, 24, 42, 10])
      shared.writeUInt32LE(zip.readUInt32LE(first + field), at + field);
  await assert.rejects(unzip(shared), fault('refusedZip', /more than 200 times/));
});

test('a zip file that is cut off or whose members are damaged is refused', async () => {
  const zip = deflated([
    { name: 'whole.csv', content: 'x' },
    { name: 'a.csv', content: 'content '.repeat(100), method: 0 },
  ]);
  await assert.rejects(unzip(zip.subarray(0, zip.length - 30)), fault('brokenZip', /damaged or cut off/));
  await assert.rejects(
    unzip(replaceAll(zip, 'content', 'Content')),
    fault('brokenZip', /"a.csv" is damaged/),
  );
});

test('unpacking stops at the signal, and leaves no files', async (t) => {
  const { path, out } = await given(gzipSync(Buffer.alloc(400e6), { level: 1 }));
  const zip = await given(
    deflated([
      { name: 'a', content: Buffer.from(gzipSync(Buffer.alloc(99e6))) },
      { name: 'b', content: Buffer.alloc(99e6) },
    ]),
  );
  for (const start of [
    (abort: AbortSignal) => unpackGzip(path, join(out, 'content'), { signal: abort }),
    (abort: AbortSignal) => unpackZip(zip.path, zip.out, { signal: abort }),
  ]) {
    const controller = new AbortController();
    let aborted = 0;
    setTimeout(() => {
      aborted = performance.now();
      controller.abort();
    }, 20);
    await assert.rejects(start(controller.signal), { name: 'AbortError' });
    const tookMs = performance.now() - aborted;
    t.diagnostic(`stopped after ${tookMs.toFixed(0)} ms`);
    assert.ok(tookMs < 5000, `${tookMs} ms`);
  }
  assert.deepEqual([...(await readdir(out)), ...(await readdir(zip.out))], []);
});

test('200 mutated zip files are unpacked completely or refused', async () => {
  const noise = Buffer.from(Array.from({ length: 3000 }, seeded(7).bind(undefined, 256)));
  const zip = new Uint8Array(
    deflated([
      { name: 'roads.shp', content: noise },
      { name: 'roads.dbf', content: 'text '.repeat(500) },
      { name: 'notes/readme.txt', content: 'stored', method: 0 },
    ]),
  );
  const sums = new Set([crc32(noise), crc32('text '.repeat(500)), crc32('stored')]);
  let refused = 0;
  for (let seed = 0; seed < 200; seed++) {
    const spentMs = cpuTime();
    try {
      for (const content of Object.values(await unzip(mutate(zip, seed))))
        assert.ok(
          sums.has(crc32(Buffer.from(content, 'latin1'))) || content === '',
          'what comes out is what went in',
        );
    } catch (error) {
      assert.ok(error instanceof SourceError, String((error as Error).stack));
      refused++;
    }
    assert.ok(spentMs() < 2000);
  }
  assert.ok(refused > 50 && refused < 200, `${refused}`);
});
