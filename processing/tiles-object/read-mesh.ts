import type { CityObject } from '@platen/formats/city-object/city-object';
import type { MeshFormat } from '@platen/formats/mesh-model/recognise-mesh';
import { findCrs } from '@platen/formats/crs/find-crs';
import { openHeightTransform } from '@platen/formats/geoid/height-transform';
import { objectsByFeature } from '@platen/formats/tiles-3d/read-tile-model';
import { meshNotices, readMeshFile, titleOf } from '../models/read-mesh-file.ts';
import { openPlacement } from '../models/open-placement.ts';
import { heightsFor } from '../heights/height-mode.ts';
import { usedHeights, type UsedHeights } from '../models/used-heights.ts';
import type { JobContext } from '../job-type.ts';
import type { Placing } from './place/place-object.ts';
import type { ModelFile } from './source/model-file.ts';
import { meshObjects } from './source/mesh-objects.ts';
import type { Setup } from './tasks.ts';

export interface ReadMesh {
  readonly objects: Iterable<CityObject>;
  /** Of anchors on the globe. */
  readonly placing: Placing;
  readonly heights: UsedHeights;
}

/** Reads a model that does not say where on earth it is. @throws SourceError, JobFailure */
export async function readMesh(
  { found, settings, inputs, geoidFolder, maxDecodingBytes }: Setup,
  model: ModelFile & { readonly mesh: MeshFormat },
  warn: JobContext['warn'],
): Promise<ReadMesh> {
  const isTile = model.mesh === 'tile';
  const whole = await readMeshFile(model, {
    sides: found.sides,
    maxDecodingBytes,
    onNotice(notice, detail) {
      const { code, text } = meshNotices[notice];
      warn(code, `${model.name}: ${text}`, { detail });
    },
  });
  const read = isTile ? objectsByFeature(whole) : whole;
  const { mode, heights: options } = settings;
  const [x = 0, y = 0, z = 0] = read.objects[0]?.parts[0]?.positions ?? [];
  const placement = await openPlacement(
    { ...model, position: [x, y, z], place: read.place },
    {
      placement: settings.placement,
      heights: heightsFor(mode, options),
      context: { inputs, warn, ...(geoidFolder !== undefined && { geoidFolder }) },
    },
  );
  return {
    objects: meshObjects(read, {
      placement,
      ground: mode === 'flat' ? (options.offset ?? 0) : undefined,
      prefix: found.models.length > 1 && !isTile ? `${titleOf(model.name)}/` : '',
    }),
    placing: {
      crs: findCrs('EPSG:4326'),
      heights: openHeightTransform({ metresPerUnit: 1, isDepth: false }, undefined),
      isFlat: false,
      offset: 0,
    },
    heights: usedHeights(mode, placement.heights),
  };
}
