import { BytesError } from '../../bytes/bytes.ts';
import { decodeLayered, type LayeredField } from './decode-layered.ts';
import { decodePointwise } from './decode-pointwise.ts';
import { ModelArena } from './model-arena.ts';

interface ChunkShape {
  readonly pointFormat: number;
  readonly recordLength: number;
  readonly fields?: ReadonlySet<LayeredField> | undefined;
  /** Whether layers have version 4 rather than 3. */
  readonly isVersion4?: boolean | undefined;
}

/** Used by one chunk after the other: it would take longer to get its memory than to decode a small chunk. */
const models = new ModelArena();

/** Formats from this one on lie in layers. */
const firstLayered = 6;

/**
 * The first points of a chunk of a LAZ or COPC file.
 * @param packed the chunk, which begins with the first point as it is
 * @param shape with `fields`, only these and the positions are decoded, where the format allows it
 * @param records memory for them, zeros @returns their records as LAS has them, one behind the other
 * @throws BytesError where it is damaged
 */
export function decodeChunk(
  packed: Uint8Array,
  shape: ChunkShape,
  points: number,
  records: Uint8Array = new Uint8Array(points * shape.recordLength),
): Uint8Array {
  const { pointFormat, recordLength, fields, isVersion4 = false } = shape;
  if (packed.length < recordLength + 4) throw new BytesError('one of its point chunks is damaged');
  if (points === 0) return records;
  models.clear();
  const isBeyondEnd =
    pointFormat < firstLayered
      ? decodePointwise(packed, records, { pointFormat, recordLength, models })
      : decodeLayered(packed, records, { pointFormat, recordLength, fields, isVersion4, models });
  if (isBeyondEnd) throw new BytesError('one of its point chunks is damaged');
  return records;
}
