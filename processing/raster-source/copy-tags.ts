import { numbersOf, rawOf, type Tiff } from '@platen/formats/geotiff/read-tiff';
import { tagType, type WrittenTag } from '@platen/formats/geotiff/write-directory';

/** Types of TIFF, by what they become. Signed and rational ones are in none of the tags that are copied. */
const rawTypes = new Map<number, WrittenTag['type']>([
  [1, tagType.byte],
  [2, tagType.ascii],
  [7, tagType.undefined],
]);
const numberTypes = new Map<number, WrittenTag['type']>([
  [3, tagType.short],
  [4, tagType.long],
  [12, tagType.double],
]);

/** Tags of the first image as they are; those that it lacks are left out. @throws BytesError */
export async function copyTags(tiff: Tiff, ids: readonly number[]): Promise<WrittenTag[]> {
  const directory = tiff.directories[0]!;
  const tags: WrittenTag[] = [];
  for (const id of ids) {
    const type = directory.tags.get(id)?.type ?? 0;
    const [raw, number] = [rawTypes.get(type), numberTypes.get(type)];
    if (raw !== undefined) tags.push({ id, type: raw, values: await rawOf(tiff, directory, id) });
    else if (number !== undefined)
      tags.push({ id, type: number, values: await numbersOf(tiff, directory, id) });
  }
  return tags.filter(({ values }) => values.length > 0);
}
