import type sharp from 'sharp';

type Sharp = typeof sharp;

/** Everything of libvips that opens files, and formats that no decoder here is asked for. */
const blocked = [
  ...['Heif', 'Jpeg', 'Png', 'Tiff', 'Webp'].flatMap((format) => [
    `VipsForeignLoad${format}File`,
    `VipsForeignSave${format}File`,
  ]),
  ...['Nsgif', 'Pdf', 'Svg', 'Magick', 'Openslide', 'Vips'].map((format) => `VipsForeignLoad${format}`),
  ...['Dz', 'Vips'].map((format) => `VipsForeignSave${format}`),
];

let loading: Promise<Sharp | undefined> | undefined;

/**
 * Undefined where native code may not run. Each image is worked on by one thread, and nothing is kept: how many at a
 * time is up to `openImageCodec`. Only that uses it; the settings apply to the whole process.
 */
export function loadSharp(): Promise<Sharp | undefined> {
  loading ??= import('sharp').then(
    ({ default: loaded }) => {
      loaded.cache(false);
      loaded.concurrency(1);
      loaded.block({ operation: blocked });
      return loaded;
    },
    () => undefined,
  );
  return loading;
}
