const shapefile = ['dbf', 'shx', 'prj', 'cpg'];
const worldFiles = ['wld', 'prj', 'aux.xml'];
const textures = ['bin', 'mtl', 'png', 'jpg', 'jpeg', 'webp', 'ktx2'];

/** Endings of the files that belong to a file of each ending: with the same name, or anywhere in its folder. */
export const sidecarEndings: Readonly<
  Record<string, { readonly sameName?: readonly string[]; readonly inFolder?: readonly string[] }>
> = {
  shp: { sameName: shapefile },
  jpg: { sameName: ['jgw', 'jpgw', 'jpg.aux.xml', ...worldFiles] },
  jpeg: { sameName: ['jgw', 'jpgw', 'jpegw', 'jpeg.aux.xml', ...worldFiles] },
  png: { sameName: ['pgw', 'pngw', 'png.aux.xml', ...worldFiles] },
  webp: { sameName: ['wpw', 'webpw', ...worldFiles] },
  tif: { sameName: ['tfw', 'tifw', 'tif.aux.xml', 'tif.ovr', ...worldFiles] },
  tiff: { sameName: ['tfw', 'tifw', 'tiffw', 'tiff.aux.xml', 'tiff.ovr', ...worldFiles] },
  jp2: { sameName: ['j2w', 'jp2w', 'jp2.aux.xml', ...worldFiles] },
  j2k: { sameName: ['jkw', 'j2kw', 'j2k.aux.xml', ...worldFiles] },
  asc: { sameName: ['prj'] },
  obj: { inFolder: textures },
  gltf: { inFolder: textures },
};

/** For each ending of a sidecar file, the endings of files that it may belong to. */
const ownerEndings = new Map<string, string[]>();
for (const [owner, { sameName = [] }] of Object.entries(sidecarEndings))
  for (const ending of sameName) ownerEndings.set(ending, [...(ownerEndings.get(ending) ?? []), owner]);

/** Keys of the files that a file belongs to if they exist, by its name alone. */
export function possibleOwners(key: string): string[] {
  return [...ownerEndings].flatMap(([ending, owners]) => {
    if (!key.toLowerCase().endsWith(`.${ending}`)) return [];
    const stem = key.slice(0, -ending.length);
    return owners.flatMap((owner) => [stem + owner, stem + owner.toUpperCase()]);
  });
}

/** The one of these files that a file belongs to, if there is any. */
export function ownerAmong(key: string, keys: ReadonlySet<string>): string | undefined {
  return possibleOwners(key).find((possible) => keys.has(possible));
}
