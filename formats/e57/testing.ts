import { crc32c } from './crc32c.ts';

export interface WrittenField {
  readonly name: string;
  readonly type: 'single' | 'double' | 'integer' | 'scaled';
  readonly minimum?: number;
  readonly maximum?: number;
  readonly scale?: number;
  readonly offset?: number;
  /** Of each record. */
  readonly values: readonly number[];
}

export interface WrittenScan {
  readonly fields: readonly WrittenField[];
  /** Elements besides the points. */
  readonly xml?: string;
  /** Instead of the number of records. */
  readonly recordCount?: number;
}

export interface WrittenE57 {
  readonly scans: readonly WrittenScan[];
  readonly crs?: string;
  readonly images?: number;
}

const pageBytes = 1024;
const contentBytes = pageBytes - 4;
/** Bytes of each field in a packet: odd, so that numbers of most fields continue in the next one. */
const streamBytes = 53;

/** An E57 of several scans, each in many packets. */
export function writeE57({ scans, crs = '', images = 0 }: WrittenE57): Buffer {
  const sections: Buffer[] = [];
  let logical = 48;
  const children = scans.map((scan) => {
    const section = sectionOf(scan, logical);
    const at = physical(logical);
    sections.push(section);
    logical += section.length;
    return childOf(scan, at);
  });
  const xml = Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?><e57Root type="Structure"><coordinateMetadata type="String"><![CDATA[${crs}]]></coordinateMetadata><data3D type="Vector">${children.join('')}</data3D><images2D type="Vector">${'<vectorChild type="Structure"/>'.repeat(images)}</images2D></e57Root>`,
  );
  const header = Buffer.alloc(48);
  header.write('ASTM-E57');
  header.writeUInt32LE(1, 8);
  header.writeBigUInt64LE(BigInt(physical(logical)), 24);
  header.writeBigUInt64LE(BigInt(xml.length), 32);
  header.writeBigUInt64LE(BigInt(pageBytes), 40);
  const pages = Math.ceil((logical + xml.length) / contentBytes);
  header.writeBigUInt64LE(BigInt(pages * pageBytes), 16);
  return paged(Buffer.concat([header, ...sections, xml]));
}

const physical = (logical: number): number =>
  Math.floor(logical / contentBytes) * pageBytes + (logical % contentBytes);

/** In pages with their checksums. */
export function paged(content: Buffer): Buffer {
  const pages: Buffer[] = [];
  for (let at = 0; at < content.length; at += contentBytes) {
    const page = Buffer.alloc(pageBytes);
    content.copy(page, 0, at, at + contentBytes);
    page.writeUInt32BE(crc32c(page.subarray(0, contentBytes)), contentBytes);
    pages.push(page);
  }
  return Buffer.concat(pages);
}

/** Without the checksums. */
export function unpaged(file: Buffer): Buffer {
  const pages: Buffer[] = [];
  for (let at = 0; at < file.length; at += pageBytes) pages.push(file.subarray(at, at + contentBytes));
  return Buffer.concat(pages);
}

function childOf({ fields, xml = '', recordCount }: WrittenScan, offset: number): string {
  const prototype = fields
    .map(({ name, type, minimum, maximum, scale, offset: add }) => {
      const range = minimum === undefined ? '' : ` minimum="${minimum}" maximum="${maximum}"`;
      const scaled = type === 'scaled' ? ` scale="${scale}" offset="${add ?? 0}"` : '';
      const kind =
        type === 'single'
          ? 'Float" precision="single'
          : { double: 'Float', integer: 'Integer', scaled: 'ScaledInteger' }[type];
      return `<${name} type="${kind}"${range}${scaled}/>`;
    })
    .join('');
  const count = recordCount ?? fields[0]!.values.length;
  return `<vectorChild type="Structure">${xml}<points type="CompressedVector" fileOffset="${offset}" recordCount="${count}"><prototype type="Structure">${prototype}</prototype><codecs type="Vector"/></points></vectorChild>`;
}

function sectionOf({ fields }: WrittenScan, logical: number): Buffer {
  const streams = fields.map(streamOf);
  const packets: Buffer[] = [];
  for (let at = 0; streams.some((stream) => at < stream.length); at += streamBytes) {
    const parts = streams.map((stream) => stream.subarray(at, at + streamBytes));
    const size = 6 + fields.length * 2 + parts.reduce((sum, { length }) => sum + length, 0);
    const packet = Buffer.alloc(Math.ceil(size / 4) * 4);
    packet.writeUInt8(1, 0);
    packet.writeUInt16LE(packet.length - 1, 2);
    packet.writeUInt16LE(fields.length, 4);
    let to = 6 + fields.length * 2;
    for (const [i, part] of parts.entries()) {
      packet.writeUInt16LE(part.length, 6 + i * 2);
      part.copy(packet, to);
      to += part.length;
    }
    packets.push(packet);
  }
  const header = Buffer.alloc(32);
  header.writeUInt8(1, 0);
  const body = Buffer.concat(packets);
  header.writeBigUInt64LE(BigInt(header.length + body.length), 8);
  header.writeBigUInt64LE(BigInt(physical(logical + header.length)), 16);
  return Buffer.concat([header, body]);
}

function streamOf({ type, values, minimum = 0, maximum = 0, scale = 1, offset = 0 }: WrittenField): Buffer {
  if (type === 'double') return Buffer.from(Float64Array.from(values).buffer);
  if (type === 'single') return Buffer.from(Float32Array.from(values).buffer);
  const bits = maximum > minimum ? (BigInt(maximum) - BigInt(minimum)).toString(2).length : 0;
  const bytes = Buffer.alloc(Math.ceil((bits * values.length) / 8));
  for (const [i, value] of values.entries()) {
    const raw = BigInt(Math.round((value - offset) / scale)) - BigInt(minimum);
    for (let bit = 0; bit < bits; bit++) {
      const at = i * bits + bit;
      if ((raw >> BigInt(bit)) & 1n) bytes[at >> 3]! |= 1 << (at & 7);
    }
  }
  return bytes;
}
