/** Castagnoli's polynomial, reflected (RFC 3720, appendix B.4). */
const polynomial = 0x82f6_3b78;

const tables = Array.from({ length: 4 }, () => new Uint32Array(256));
for (let byte = 0; byte < 256; byte++) {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ polynomial : crc >>> 1;
  tables[0]![byte] = crc;
}
for (let byte = 0; byte < 256; byte++)
  for (let i = 1; i < 4; i++) {
    const before = tables[i - 1]![byte]!;
    tables[i]![byte] = (before >>> 8) ^ tables[0]![before & 255]!;
  }

const [t0, t1, t2, t3] = tables as [Uint32Array, Uint32Array, Uint32Array, Uint32Array];

/** CRC-32C, four bytes at a time (Kounavis and Berry 2005). */
export function crc32c(bytes: Uint8Array): number {
  let crc = 0xffff_ffff;
  let at = 0;
  for (; at + 4 <= bytes.length; at += 4) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    crc = t3[crc & 255]! ^ t2[(crc >>> 8) & 255]! ^ t1[(crc >>> 16) & 255]! ^ t0[crc >>> 24]!;
  }
  for (; at < bytes.length; at++) crc = (crc >>> 8) ^ t0[(crc ^ bytes[at]!) & 255]!;
  return (crc ^ 0xffff_ffff) >>> 0;
}
