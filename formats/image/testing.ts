const marker = (code: number, content: Uint8Array): Buffer => {
  const head = Buffer.from([0xff, code, 0, 0]);
  head.writeUInt16BE(content.length + 2, 2);
  return Buffer.concat([head, content]);
};

/** Headers of a JPEG, without any pixels. */
export function jpegOf(of: {
  readonly width: number;
  readonly height: number;
  readonly isProgressive?: boolean;
  readonly exif?: Uint8Array;
}): Buffer {
  const frame = Buffer.from([8, 0, 0, 0, 0, 3, 1, 0x11, 0, 2, 0x11, 1, 3, 0x11, 1]);
  frame.writeUInt16BE(of.height, 1);
  frame.writeUInt16BE(of.width, 3);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    ...(of.exif ? [marker(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), of.exif]))] : []),
    marker(0xfe, Buffer.alloc(3000, 'a comment ')),
    Buffer.from([0xff]),
    marker(of.isProgressive === true ? 0xc2 : 0xc0, frame),
    marker(0xda, Buffer.alloc(10)),
    Buffer.from([0xff, 0xd9, 0, 0]),
  ]);
}

/** The beginning of a WebP, without any pixels. */
export function webpOf(chunk: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer {
  const file = Buffer.alloc(40);
  file.write('RIFF');
  file.writeUInt32LE(32, 4);
  file.write('WEBP', 8);
  file.write(chunk, 12);
  file.writeUInt32LE(20, 16);
  if (chunk === 'VP8X') {
    file.writeUIntLE(width - 1, 24, 3);
    file.writeUIntLE(height - 1, 27, 3);
  } else if (chunk === 'VP8L') {
    file.writeUInt8(0x2f, 20);
    file.writeUInt32LE((width - 1) | ((height - 1) << 14), 21);
  } else {
    file.writeUInt16LE(width, 26);
    file.writeUInt16LE(height, 28);
  }
  return file;
}

/** EXIF with nothing but the place; degrees with a fraction. */
export function exifAt(place: {
  readonly latitude: number;
  readonly longitude: number;
  readonly altitude: number;
}): Buffer {
  const exif = Buffer.alloc(200);
  exif.write('II*\0');
  exif.writeUInt32LE(8, 4);
  exif.writeUInt16LE(1, 8);
  entry(exif, 10, [34_853, 4, 1, 40]);
  exif.writeUInt16LE(6, 40);
  const letter = (isNegative: boolean, [yes, no]: string) => (isNegative ? yes : no)!.charCodeAt(0);
  entry(exif, 42, [1, 2, 2, letter(place.latitude < 0, 'SN')]);
  entry(exif, 54, [2, 5, 3, 130]);
  entry(exif, 66, [3, 2, 2, letter(place.longitude < 0, 'WE')]);
  entry(exif, 78, [4, 5, 3, 154]);
  entry(exif, 90, [5, 1, 1, place.altitude < 0 ? 1 : 0]);
  entry(exif, 102, [6, 5, 1, 178]);
  for (const [at, value] of [
    [130, place.latitude],
    [154, place.longitude],
  ] as const) {
    const degrees = Math.abs(value);
    rational(exif, at, Math.floor(degrees));
    rational(exif, at + 8, (degrees % 1) * 60);
    rational(exif, at + 16, 0);
  }
  rational(exif, 178, Math.abs(place.altitude));
  return exif;
}

function entry(
  exif: Buffer,
  at: number,
  [id, type, count, value]: readonly [number, number, number, number],
): void {
  exif.writeUInt16LE(id, at);
  exif.writeUInt16LE(type, at + 2);
  exif.writeUInt32LE(count, at + 4);
  exif.writeUInt32LE(value, at + 8);
}

function rational(exif: Buffer, at: number, value: number): void {
  exif.writeUInt32LE(Math.round(value * 1000), at);
  exif.writeUInt32LE(1000, at + 4);
}
