import type { FindFile } from '@platen/formats/i3s/scene-files';
import type { SceneLayer } from '@platen/formats/i3s/scene-layer';

export interface FoundLayer {
  readonly layer: SceneLayer;
  /** By paths within the layer. */
  readonly find: FindFile;
  /** In which it lies, ending with /, or empty. */
  readonly folder: string;
}
