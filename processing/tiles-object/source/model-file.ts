import type { TileFile } from '../../models/tilesets/read-tile-file.ts';
import type { CityGmlPart } from '@platen/formats/citygml/divide-city-gml';
import type { MeshFormat } from '@platen/formats/mesh-model/recognise-mesh';
import type { InputPart } from '../../features/open-inputs.ts';

/** A city model, or a part of one, to read. Plain data. */
export interface ModelFile {
  readonly path: string;
  readonly name: string;
  readonly size: number;
  readonly format: 'citygml' | 'cityjson' | 'footprints' | 'mesh';
  /** The members to read of a large CityGML file, which is divided. */
  readonly members?: CityGmlPart;
  /** Of a model that is no city model. */
  readonly mesh?: MeshFormat;
  /** Where a content of a tileset is. */
  readonly tile?: TileFile['tile'];
  /** Memory that its meshes packed by Draco take, in bytes. */
  readonly decodingBytes?: number;
  /** The part of a vector file, for footprints. */
  readonly part?: InputPart;
  /** Overrides the CRS that the file names. */
  readonly crs: string | undefined;
}
