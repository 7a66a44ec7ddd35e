import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { readAll } from '@platen/formats/bytes/file-appender';
import type { CogBlocks } from '@platen/formats/geotiff/write-cog';
import { openScratchFile, type FileRange } from '../../kit/scratch-file.ts';
import { blockCount, type Level, type RasterShape } from './raster-shape.ts';

/** Where the packed blocks of a level are, by their numbers. */
interface BlockPlaces {
  /** The number of the file. */
  readonly files: Uint16Array;
  readonly offsets: Float64Array;
  /** 0: there is none. */
  readonly lengths: Uint32Array;
}

/** Can be saved in a checkpoint. */
export interface BlockLogState {
  readonly files: readonly FileRange[];
  readonly levels: readonly { readonly image: BlockPlaces; readonly mask: BlockPlaces | undefined }[];
}

/** Packed blocks in scratch files, in the order in which they were made. */
export interface BlockLog {
  put(place: BlockPlace, bytes: Uint8Array): void;
  blocksOf(level: number, kind: BlockPlace['kind']): CogBlocks;
  /** All that was put is in the files then. */
  save(): BlockLogState;
  close(): void;
}

export interface BlockPlace {
  readonly level: number;
  readonly kind: 'image' | 'mask';
  readonly number: number;
}

export interface BlockLogOptions {
  readonly folder: string;
  readonly attempt: number;
  readonly former: BlockLogState | undefined;
}

export function openBlockLog(
  shape: RasterShape,
  levels: readonly Level[],
  { folder, attempt, former }: BlockLogOptions,
): BlockLog {
  const file = openScratchFile(join(folder, `blocks-${attempt}`), 1 << 20);
  const earlier = former?.files ?? [];
  const places =
    former?.levels ??
    levels.map((level) => {
      const count = blockCount(level, shape.blockSide);
      return { image: emptyPlaces(count), mask: shape.hasMask ? emptyPlaces(count) : undefined };
    });
  const handles = new Map<number, number>();
  const handleOf = (number: number): number => {
    const path = earlier[number]?.path ?? file.path;
    const handle = handles.get(number) ?? openSync(path, 'r');
    handles.set(number, handle);
    return handle;
  };
  return {
    put({ level, kind, number }, bytes) {
      const { files, offsets, lengths } = places[level]![kind]!;
      files[number] = earlier.length;
      offsets[number] = file.length;
      lengths[number] = bytes.length;
      file.append(bytes);
    },
    blocksOf(level, kind) {
      const { files, offsets, lengths } = places[level]![kind]!;
      file.flush();
      return {
        count: lengths.length,
        lengthOf: (number) => lengths[number]!,
        read(number) {
          const bytes = Buffer.allocUnsafe(lengths[number]!);
          readAll(handleOf(files[number]!), bytes, offsets[number]!);
          return bytes;
        },
      };
    },
    save() {
      file.flush();
      const own = file.length > 0 ? [{ path: file.path, start: 0, end: file.length }] : [];
      return { files: [...earlier, ...own], levels: places };
    },
    close() {
      for (const handle of handles.values()) closeSync(handle);
      handles.clear();
      file.close();
    },
  };
}

function emptyPlaces(count: number): BlockPlaces {
  return {
    files: new Uint16Array(count),
    offsets: new Float64Array(count),
    lengths: new Uint32Array(count),
  };
}
