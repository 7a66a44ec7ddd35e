import { BytesError, type Bytes } from '../bytes/bytes.ts';

const samples = 32;
const sampleBytes = 4096;
const onlyNumbers = /^[-+\d.,eE\s[\]]*$/;
const position = /\[[^[\],]+,[^[\],]+,[^[\],]+\]/g;

/** Whether it is positions of three numbers in a row, which occur in such numbers only in `vertices`. */
function isVertices(text: string): boolean {
  if (!onlyNumbers.test(text)) return false;
  const rest = text.replaceAll(position, '');
  const cutOff = rest.indexOf('['); // the last position, as the end of the first has no bracket before it
  return rest.length < text.length && (cutOff < 0 || !rest.includes(']', cutOff));
}

/**
 * Estimates how many bytes of a CityJSON file its city objects take, by samples from all over it; the rest is
 * vertices.
 * @param total its unpacked size in bytes; if the file is packed, a typical share is assumed
 */
export async function estimateObjects(bytes: Bytes, total: number): Promise<number> {
  if (total > bytes.size * 1.01) return total * 0.75;
  let vertices = 0;
  for (let i = 0; i < samples; i++) {
    const at = Math.floor(((i + 0.5) / samples) * bytes.size);
    try {
      const text = Buffer.from(await bytes.read(at, sampleBytes)).toString('latin1');
      if (isVertices(text)) vertices++;
    } catch (error) {
      if (error instanceof BytesError) return total * 0.75;
      throw error;
    }
  }
  return total * (1 - vertices / samples);
}
