import type { FindFile } from '@platen/formats/i3s/scene-files';
import type { SceneLayer } from '@platen/formats/i3s/scene-layer';

export interface SceneLayerFiles {
  readonly layer: SceneLayer;
  /** Finds files by their paths within the layer. */
  readonly find: FindFile;
  /** The layer's folder, ending with /, or empty. */
  readonly folder: string;
}
