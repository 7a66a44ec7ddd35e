import { brokenSheet } from './broken-sheet.ts';
import type { SheetPart } from './raster-sheet.ts';
import { openPart } from './sheet-blocks.ts';

interface MaskedPicture {
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

const maxBlockBytes = 64 << 20;

/** Hides the pixels of a picture (RGBA) that the mask beside it hides. @throws JobFailure */
export async function hideByMask(
  rgba: Uint8Array,
  part: SheetPart,
  { name, width, height }: MaskedPicture,
): Promise<void> {
  try {
    const mask = await openPart(part, maxBlockBytes);
    try {
      const { blockWidth, blockHeight } = mask.image;
      const perPixel = mask.image.isPlanar ? 1 : mask.image.bands;
      for (let top = 0; top < height; top += blockHeight) {
        for (let left = 0; left < width; left += blockWidth) {
          const samples = await mask.read(left / blockWidth, top / blockHeight, 0);
          for (let y = top; y < Math.min(height, top + blockHeight); y++)
            for (let x = left; x < Math.min(width, left + blockWidth); x++)
              if (!samples?.[((y - top) * blockWidth + x - left) * perPixel])
                rgba[(y * width + x) * 4 + 3] = 0;
        }
      }
    } finally {
      await mask.close();
    }
  } catch (error) {
    throw brokenSheet(`${name}.msk`, error);
  }
}
