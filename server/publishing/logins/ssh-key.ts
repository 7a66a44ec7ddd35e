import { createHash, createPrivateKey, createPublicKey, type webcrypto } from 'node:crypto';
import { invalidAt } from '../../base/failure.ts';

// one way to match alone, as a text of many blanks would else be tried in all others
const openSsh =
  /^\s*-----BEGIN OPENSSH PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END OPENSSH PRIVATE KEY-----\s*$/;
const classic = /^\s*-----BEGIN (RSA|EC) PRIVATE KEY-----[\s\S]*-----END \1 PRIVATE KEY-----\s*$/;
const magic = 'openssh-key-v1\0';

/**
 * The fingerprint of a private key, as ssh-keygen -l shows it.
 * @throws Failure `invalid` if SSH cannot use it here, or the passphrase does not open it
 */
export function fingerprintOf(privateKey: string, passphrase: string | undefined): string {
  const body = openSsh.exec(privateKey)?.[1];
  if (body !== undefined) return digestOf(publicBlob(Buffer.from(body, 'base64'), passphrase));
  if (classic.test(privateKey)) return digestOf(blobOfPem(privateKey, passphrase));
  throw wrongKey(
    'It must be an OpenSSH private key, or an RSA or EC key in PEM. “ssh-keygen -p -f <file>” converts other keys.',
  );
}

const digestOf = (blob: Buffer) =>
  `SHA256:${createHash('sha256')
    .update(blob)
    .digest('base64')
    .replace(/(?<!=)=+$/, '')}`;

const wrongKey = (detail: string) => invalidAt('/privateKey', detail, 'privateKey');
const broken = () => wrongKey('The private key is damaged or truncated.');
const locked = () => invalidAt('/passphrase', 'The private key needs its passphrase.', 'passphrase');

/** The public half stands in front of the private one, and is not encrypted (PROTOCOL.key of OpenSSH). */
function publicBlob(file: Buffer, passphrase: string | undefined): Buffer {
  if (file.toString('latin1', 0, magic.length) !== magic) throw broken();
  let at = magic.length;
  const take = (): Buffer => {
    const start = at + 4;
    const end = start <= file.length ? start + file.readUInt32BE(at) : Infinity;
    if (end > file.length) throw broken();
    at = end;
    return file.subarray(start, end);
  };
  const cipher = take().toString('latin1');
  take(); // the name of the derivation
  requireFewRounds(take());
  if (at + 4 > file.length || file.readUInt32BE(at) !== 1)
    throw wrongKey('It must contain exactly one private key.');
  at += 4;
  const blob = take();
  if (take().length === 0 || blob.length === 0) throw broken();
  if (cipher !== 'none' && passphrase === undefined) throw locked();
  return blob;
}

const maxRounds = 256;

/** Runners open keys in JavaScript, some 10 ms a round, and do nothing else meanwhile: their other jobs must not be lost. */
function requireFewRounds(options: Buffer): void {
  if (options.length < 4) return;
  if (options.readUInt32BE(options.length - 4) > maxRounds)
    throw wrongKey(`The passphrase must be hashed in at most ${maxRounds} rounds.`);
}

function blobOfPem(pem: string, passphrase: string | undefined): Buffer {
  const isEncrypted = /^Proc-Type:.*ENCRYPTED/m.test(pem);
  if (isEncrypted && passphrase === undefined) throw locked();
  try {
    const key = createPrivateKey({ key: pem, ...(passphrase !== undefined && { passphrase }) });
    return blobOf(createPublicKey(key).export({ format: 'jwk' }));
  } catch {
    if (!isEncrypted) throw broken();
    throw invalidAt('/passphrase', 'The passphrase does not open the private key.', 'passphrase');
  }
}

const curves: Readonly<Record<string, string>> = {
  'P-256': 'nistp256',
  'P-384': 'nistp384',
  'P-521': 'nistp521',
};

/** RFC 4253, section 6.6, and RFC 5656, section 3.1. */
function blobOf({ kty, n, e, crv, x, y }: webcrypto.JsonWebKey): Buffer {
  if (kty === 'RSA') return Buffer.concat([text('ssh-rsa'), integer(e!), integer(n!)]);
  const curve = curves[crv ?? ''];
  if (curve === undefined) throw new Error('SSH does not know this curve.');
  const point = Buffer.concat([Buffer.of(4), Buffer.from(x!, 'base64url'), Buffer.from(y!, 'base64url')]);
  return Buffer.concat([text(`ecdsa-sha2-${curve}`), text(curve), field(point)]);
}

const text = (value: string) => field(Buffer.from(value));

function integer(value: string): Buffer {
  const bytes = Buffer.from(value, 'base64url');
  return field(bytes[0]! < 0x80 ? bytes : Buffer.concat([Buffer.of(0), bytes]));
}

function field(bytes: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
