import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { symlink } from 'node:fs/promises';
import { createServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { parseEgressPolicy } from '@platen/egress/policy';
import { chunksOf } from './conformance.ts';
import { openSftp, type SftpTarget } from './sftp.ts';
import { never, newFolder, onDisk, openAccess } from './testing.ts';
import { startSshd, whyNoSshd, type Sshd } from './testing-sshd.ts';
import { afterFile } from '../../checks/clean-up.ts';

const skip = whyNoSshd();
let sshd: Sshd;
before(async () => {
  if (!skip) sshd = await startSshd();
});
afterFile(() => sshd?.stop());

const about = { contentType: 'text/plain', cacheControl: 'no-cache', isGzipped: false };

function open(target: SftpTarget, onUnknownHost: (fingerprint: string) => void = () => {}, signal = never()) {
  return openSftp(target, { egressPolicy: openAccess, signal, onUnknownHost });
}

/** It fails with this code, and repeats nothing of what opens the server. */
async function fails(target: SftpTarget, code: string, message = /./): Promise<void> {
  await assert.rejects(open(target), (error: Error & { code: string }) => {
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    for (const secret of [target.password, target.privateKey, target.passphrase])
      assert.ok(!secret || !error.message.includes(secret));
    return true;
  });
}

test(
  'sftp: a wrong password, a wrong key and an unreadable key are distinguished from an unreachable server',
  { skip },
  async () => {
    const { privateKey: _, ...byPassword } = sshd.target({ password: 'sesame' });
    await fails(byPassword, 'destinationRefused', /login/);
    await fails(sshd.target({ privateKey: sshd.otherKey }), 'destinationRefused', /login/);
    await fails(sshd.target({ privateKey: 'no key' }), 'destinationRefused', /private key/);
    await fails(sshd.target({ privateKey: sshd.lockedKey }), 'destinationRefused', /private key/);
    await fails(
      sshd.target({ privateKey: sshd.lockedKey, passphrase: 'open sesame' }),
      'destinationRefused',
      /private key/,
    );
    const opened = await open(sshd.target({ privateKey: sshd.lockedKey, passphrase: sshd.passphrase }));
    await opened.close();
    await fails(sshd.target({ port: 1 }), 'cannotReachDestination', /ECONNREFUSED/);
    await fails(sshd.target({ host: 'no-such-host.invalid' }), 'cannotReachDestination');
  },
);

test(
  'sftp: only the host with the given key is trusted; without one, the key of the host is reported',
  { skip },
  async () => {
    await fails(sshd.target({ hostKey: sshd.otherFingerprint }), 'wrongHostKey', /SHA256:/);
    await fails(sshd.target({ hostKey: 'SHA256:' }), 'wrongHostKey');
    await fails(sshd.target({ hostKey: '' }), 'wrongHostKey');
    const fingerprints: string[] = [];
    const asShown = await open(
      sshd.target({ hostKey: `256 ${sshd.fingerprint} root@host (ED25519)` }),
      (key) => fingerprints.push(key),
    );
    assert.equal(fingerprints.length, 0);
    const { hostKey: _, ...unnamed } = sshd.target();
    const opened = await open(unnamed, (key) => fingerprints.push(key));
    assert.deepEqual(fingerprints, [sshd.fingerprint]);
    await opened.close();
    await asShown.close();
  },
);

test('sftp: no private address is connected to unless the operator allows it', { skip }, async () => {
  const opening = { egressPolicy: parseEgressPolicy(''), signal: never(), onUnknownHost: () => {} };
  for (const host of ['127.0.0.1', 'localhost', '::1', '169.254.169.254', '10.0.0.1', '::ffff:127.0.0.1'])
    await assert.rejects(openSftp(sshd.target({ host }), opening), { code: 'privateAddress' });
});

test(
  'sftp: folders with “..” and links that lead out of the destination are refused',
  { skip },
  async (t) => {
    const base = await newFolder((cleanUp) => t.after(cleanUp));
    await fails(sshd.target({ folder: `${base}/../x` }), 'badDestination');
    await fails(sshd.target({ folder: `${base}/a\nb` }), 'badDestination');
    const outside = onDisk(join(base, 'outside'));
    await outside.place('kept.txt', Buffer.from('x'));
    await onDisk(join(base, 'site')).place('a.txt', Buffer.from('x'));
    await symlink(join(base, 'outside'), join(base, 'site/link'));
    const destination = await open(sshd.target({ folder: join(base, 'site') }));
    const putting = destination
      .draft('link/new.txt', chunksOf(Buffer.from('x')), about)
      .then((draft) => draft.switch());
    await assert.rejects(putting, { code: 'badDestination' });
    await assert.rejects(destination.remove('link/kept.txt'), { code: 'badDestination' });
    assert.deepEqual(await outside.everything(), ['kept.txt']);
    await destination.close();
  },
);

test('sftp: a folder that may not be written to is a refusal', { skip }, async () => {
  await fails(sshd.target({ folder: '/sys/platen' }), 'destinationRefused', /refused/);
});

test(
  'sftp: after a connection breaks in the middle of a file, one new connection serves the next files',
  { skip },
  async (t) => {
    const base = await newFolder((cleanUp) => t.after(cleanUp));
    const destination = await open(sshd.target({ folder: base }));
    const bytes = randomBytes(3_000_000);
    async function* cutting() {
      yield bytes.subarray(0, 1_000_000);
      await sshd.cut();
      yield* chunksOf(bytes.subarray(1_000_000));
    }
    await assert.rejects(destination.draft('a.bin', cutting(), about), { code: 'cannotReachDestination' });
    await (await destination.draft('a.bin', chunksOf(bytes), about)).switch();
    assert.deepEqual(await onDisk(base).look('a.bin'), bytes);
    await destination.close();
  },
);

test('sftp: a server that disconnects permanently is a transient failure', { skip }, async (t) => {
  const base = await newFolder((cleanUp) => t.after(cleanUp));
  const sockets = new Set<Socket>();
  const { promise: upstreamEnds, resolve: endUpstream } = Promise.withResolvers<void>();
  // in between, as a firewall is: the server itself is needed by other tests
  const between = createServer((near) => {
    const far = new (near.constructor as typeof Socket)();
    far.connect(sshd.port, '127.0.0.1');
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}));
    near.pipe(far).pipe(near);
  }).listen(0, '127.0.0.1');
  await once(between, 'listening');
  const { port } = between.address() as { port: number };
  const destination = await open(sshd.target({ folder: base, port }));
  void upstreamEnds.then(() => {
    between.close();
    for (const socket of sockets) socket.destroy();
  });
  endUpstream();
  await once(between, 'close');
  for (let n = 0; n < 4; n++)
    await assert.rejects(destination.sizes('', new Set(['a'])), { code: 'cannotReachDestination' });
  await destination.close();
});

test(
  'sftp: an abort does not wait for a server that has fallen silent',
  { skip, timeout: 30_000 },
  async (t) => {
    const base = await newFolder((cleanUp) => t.after(cleanUp));
    const stop = new AbortController();
    const destination = await open(sshd.target({ folder: base }), () => {}, stop.signal);
    await destination.sizes('', new Set(['a']));
    await sshd.pause();
    t.after(() => sshd.resume());
    const asking = destination.sizes('b', new Set(['a']));
    setTimeout(() => stop.abort(new Error('asked to stop')), 100);
    const from = performance.now();
    await assert.rejects(asking, /asked to stop/);
    const tookMs = performance.now() - from;
    t.diagnostic(`ended after ${tookMs.toFixed(0)} ms`);
    assert.ok(tookMs < 10_000, `${tookMs} ms`);
  },
);

test('sftp: a server that has fallen silent is given up', { skip, timeout: 60_000 }, async (t) => {
  const base = await newFolder((cleanUp) => t.after(cleanUp));
  const opening = { egressPolicy: openAccess, signal: never(), onUnknownHost: () => {}, aliveMs: 300 };
  const destination = await openSftp(sshd.target({ folder: base }), opening);
  await destination.sizes('', new Set(['a']));
  await sshd.pause();
  t.after(() => sshd.resume());
  await assert.rejects(destination.sizes('b', new Set(['a'])), { code: 'cannotReachDestination' });
});
