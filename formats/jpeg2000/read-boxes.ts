import { BytesError, type Bytes } from '../bytes/bytes.ts';
import { viewOf } from '../bytes/read-exactly.ts';

/** A box of a JP2 file (ISO 15444-1, annex I). */
export interface Box {
  readonly type: string;
  /** Of what is in it, from the start of the file. */
  readonly start: number;
  readonly end: number;
}

/** Boxes that consist of boxes. */
const parents = new Set(['jp2h', 'asoc']);
const maxBoxes = 2000;
const maxDepth = 8;

/** Whether the first 12 bytes are those of a JP2 file or of a codestream. */
export function isJpeg2000(head: Uint8Array): boolean {
  return isCodestream(head) || Buffer.from(head.subarray(4, 8)).toString('latin1') === 'jP  ';
}

export function isCodestream([a, b, c, d]: Uint8Array): boolean {
  return a === 0xff && b === 0x4f && c === 0xff && d === 0x51;
}

/** All boxes, and those in them after each. @throws BytesError */
export async function readBoxes(bytes: Bytes): Promise<Box[]> {
  const boxes: Box[] = [];
  const add = async (from: number, to: number, depth: number): Promise<void> => {
    for (let at = from; at + 8 <= to;) {
      if (boxes.length === maxBoxes) throw new BytesError(`it has more than ${maxBoxes} boxes`);
      const head = await bytes.read(at, 16);
      if (head.length < 8) throw new BytesError('it is cut off');
      const view = viewOf(head);
      const type = Buffer.from(head.subarray(4, 8)).toString('latin1');
      const short = view.getUint32(0);
      const isLong = short === 1 && head.length === 16;
      const length = short === 0 ? to - at : isLong ? Number(view.getBigUint64(8)) : short;
      const start = at + (isLong ? 16 : 8);
      // of a codestream that is cut off, the rest may be whole
      const end = Math.min(at + length, to);
      if (length < start - at) throw new BytesError('one of its boxes is damaged');
      boxes.push({ type, start, end });
      if (parents.has(type) && depth < maxDepth) await add(start, end, depth + 1);
      at = end;
    }
  };
  await add(0, bytes.size, 0);
  return boxes;
}
