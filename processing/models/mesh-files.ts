import { openSync, closeSync, readSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { BytesError, type Bytes } from '@platen/formats/bytes/bytes';
import { openFile } from '@platen/formats/bytes/open-file';
import { asIndex, asObjects, asText } from '@platen/formats/json/read-values';
import { measureDraco } from '@platen/formats/mesh/draco/draco-meshes';
import { dataOf, openGltf } from '@platen/formats/mesh/open-gltf';
import { recogniseMesh, type MeshFormat } from '@platen/formats/mesh-model/recognise-mesh';
import type { SideFile } from './find-side-file.ts';

const headBytes = 1 << 16;
const imageEnding = /\.(?:jpe?g|png|tiff?|webp)$/i;
const sideEnding = /\.(?:mtl|bin)$/i;

/** What a file is for models: one of them, an image, a library or buffer that they name; undefined if nothing of it. */
export function meshKindOf({
  path,
  name,
  size,
}: SideFile & { readonly size: number }): MeshFormat | 'image' | 'side' | undefined {
  if (imageEnding.test(name)) return 'image';
  if (sideEnding.test(name)) return 'side';
  if (size === 0) return undefined;
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(Math.min(headBytes, size));
    return recogniseMesh(head.subarray(0, readSync(file, head, 0, head.length, 0)), size);
  } finally {
    closeSync(file);
  }
}

/** The name of an image within a glTF, beside the file itself. */
export const embeddedName = (model: string, image: number): string => `${model}#${image}`;

export interface GltfContents {
  /**
   * The images within a glTF by their numbers; those with the same content share it. A damaged glTF has none, and one in
   * which they are larger than the file only some, as views that overlap are no images.
   */
  readonly images: ReadonlyMap<number, Uint8Array>;
  /** Memory that its meshes packed by Draco take, in bytes. */
  readonly decodingBytes: number;
}

/** Reads what a glTF contains besides its model. */
export async function contentsOfGltf(bytes: Bytes): Promise<GltfContents> {
  const images = new Map<number, Uint8Array>();
  let decodingBytes = 0;
  try {
    const { root, gltf, read } = await openGltf(bytes, () => Promise.resolve(undefined));
    decodingBytes = await measureDraco(gltf, read);
    const known = new Map<unknown, Uint8Array>();
    let total = 0;
    for (const [number, image] of asObjects(root['images']).entries()) {
      const uri = asText(image?.['uri']);
      const data = uri?.startsWith('data:') === true ? uri : undefined;
      const view = gltf.bufferViews[asIndex(image?.['bufferView']) ?? -1];
      // views of the same bytes are one image
      const source = data ?? (view && `${view.buffer}/${view.byteOffset}/${view.byteLength}`);
      let content = known.get(source);
      if (content === undefined && data !== undefined) content = dataOf(data);
      else if (content === undefined && view !== undefined && total + view.byteLength <= bytes.size) {
        content = await read(view.buffer, view.byteOffset, view.byteLength);
        total += content?.length ?? 0;
      }
      if (content !== undefined) known.set(source, content);
      if (content !== undefined && content.length > 0) images.set(number, content);
    }
  } catch (error) {
    if (!(error instanceof BytesError)) throw error;
  }
  return { images, decodingBytes };
}

export interface UnpackedModel extends Pick<GltfContents, 'decodingBytes'> {
  readonly images: readonly SideFile[];
}

/** Writes the images within a glTF to files of their own. @param scratch a folder that exists */
export async function unpackGltf(model: SideFile, scratch: string): Promise<UnpackedModel> {
  const bytes = await openFile(model.path);
  try {
    const { images, decodingBytes } = await contentsOfGltf(bytes);
    const named = [...images].map(
      ([number, content]) => [embeddedName(model.name, number), content] as const,
    );
    return {
      images: await writeImages(named, join(scratch, `${basename(model.path)}-image`)),
      decodingBytes,
    };
  } finally {
    await bytes.close();
  }
}

/** Writes images to files, each content once. @param prefix of the paths of the files */
export async function writeImages(
  images: readonly (readonly [name: string, content: Uint8Array])[],
  prefix: string,
): Promise<SideFile[]> {
  const paths = new Map<Uint8Array, string>();
  const files: SideFile[] = [];
  for (const [name, content] of images) {
    let path = paths.get(content);
    if (path === undefined) {
      path = `${prefix}-${paths.size}`;
      paths.set(content, path);
      await writeFile(path, content);
    }
    files.push({ path, name });
  }
  return files;
}
