import type { Attributes } from '../city-object/city-object.ts';
import { readPropertyTables } from '../gltf/read-property-table.ts';
import { asObject } from '../json/read-values.ts';
import type { OpenGltf } from '../mesh/open-gltf.ts';
import { unpackedBytes, type AccessorReading } from '../mesh/read-accessor.ts';
import { emptyRows } from '../tiles-3d/read-batch-table.ts';
import { countFeatures, type FeatureRows } from './feature-ids.ts';

export interface GltfRows extends FeatureRows {
  readonly rows: readonly Attributes[];
}

interface RowsReading {
  readonly onUnsupported: (what: string) => void;
  /** Attributes are called by the ids of their properties. */
  readonly byId?: boolean | undefined;
}

/** Features of one file: their rows take memory, however few bytes name their number. */
const maxRows = 1_000_000;

/** The attributes of the features of a glTF by EXT_structural_metadata; features without any have empty ones. */
export async function readGltfRows(
  { gltf, root, read }: OpenGltf,
  accessors: AccessorReading,
  { onUnsupported, byId }: RowsReading,
): Promise<GltfRows> {
  const extension = asObject(asObject(root['extensions'])?.['EXT_structural_metadata']);
  if (extension?.['propertyTables'] === undefined) {
    const rows = emptyRows(Math.min(countFeatures(gltf), maxRows));
    return { rows, firstRows: [0], count: rows.length };
  }
  if (extension['schema'] === undefined) onUnsupported('a schema of attributes in another file');
  const readView = async (number: number): Promise<Uint8Array | undefined> => {
    const view = gltf.bufferViews[number];
    if (view === undefined) return undefined;
    const bytes = view.isCompressed
      ? await unpackedBytes(view, accessors)
      : await read(view.buffer, view.byteOffset, view.byteLength);
    return bytes === undefined || bytes.length < view.byteLength ? undefined : bytes;
  };
  const { rows, firstRows, unreadable } = await readPropertyTables(extension, { readView, maxRows, byId });
  for (const name of unreadable) onUnsupported(`the property ${name.slice(0, 100)}`);
  return { rows, firstRows, count: rows.length };
}
