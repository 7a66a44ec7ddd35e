import { crc32, deflateRawSync } from 'node:zlib';

/** A zip file of these members; PKWARE's APPNOTE 6.3.10, sections 4.3.7, 4.3.12 and 4.3.16. */
export function zipOf(members: Readonly<Record<string, Uint8Array | string>>): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, given] of Object.entries(members)) {
    const content = Buffer.from(given as string);
    const packed = deflateRawSync(content);
    // Version 2.0, names in UTF-8, deflated, at the beginning of 1980.
    const about = Buffer.alloc(26);
    for (const [offset, value] of [20, 0x800, 8, 0, 0x21].entries()) about.writeUInt16LE(value, offset * 2);
    about.writeUInt32LE(crc32(content), 10);
    about.writeUInt32LE(packed.length, 14);
    about.writeUInt32LE(content.length, 18);
    about.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), about, Buffer.from(name), packed]);
    const attributes = Buffer.alloc(14);
    attributes.writeUInt32LE(at, 10);
    directory.push(Buffer.from('PK\x01\x02\x14\0'), about, attributes, Buffer.from(name));
    pieces.push(local);
    at += local.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  const count = Object.keys(members).length;
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  const listing = Buffer.concat(directory);
  end.writeUInt32LE(listing.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...pieces, listing, end]);
}
