import { closeSync, openSync } from 'node:fs';
import { createFileAppender } from '@platen/formats/bytes/file-appender';
import { writeCog, type CogImage } from '@platen/formats/geotiff/write-cog';
import type { WrittenTag } from '@platen/formats/geotiff/write-directory';
import type { JobContext } from '../../job-type.ts';
import { openOutputFile } from '../../kit/output-file.ts';
import type { MadePyramid } from './make-pyramid.ts';
import type { RasterShape } from './raster-shape.ts';

export interface FileForm {
  readonly name: string;
  readonly shape: RasterShape;
  /** What all images have. */
  readonly tags: readonly WrittenTag[];
  /** What the image has besides: its place, for example. */
  readonly imageTags: readonly WrittenTag[];
}

const chunkBytes = 1 << 20;
/** How often others get a turn, and the end of the job is noticed. */
const turnMs = 100;

/** Puts the file together from the packed blocks. */
export async function writeFile(
  { name, shape, tags, imageTags }: FileForm,
  { levels, log }: MadePyramid,
  context: JobContext,
): Promise<{ readonly size: number; readonly isBig: boolean }> {
  const images = levels.map(({ width, height }, level): CogImage => ({
    width,
    height,
    tags: level === 0 ? [...tags, ...imageTags] : tags,
    blocks: log.blocksOf(level, 'image'),
    ...(shape.hasMask && { mask: log.blocksOf(level, 'mask') }),
  }));
  const { chunks, size, isBig } = writeCog({ blockSide: shape.blockSide, images });
  const output = openOutputFile(context.outputFolder, name);
  const file = openSync(output.path, 'w');
  try {
    const appender = createFileAppender(file, 0, chunkBytes);
    let turn = performance.now();
    for (const chunk of chunks) {
      appender.append(chunk);
      if (performance.now() - turn < turnMs) continue;
      await new Promise((resolve) => setImmediate(resolve));
      context.signal.throwIfAborted();
      context.progress('write', appender.position, size);
      turn = performance.now();
    }
    appender.flush();
  } catch (error) {
    output.discard();
    throw error;
  } finally {
    closeSync(file);
  }
  context.progress('write', size, size);
  output.finish();
  return { size, isBig };
}
