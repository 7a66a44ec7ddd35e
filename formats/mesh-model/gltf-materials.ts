import {
  asIndex,
  asNumber,
  asNumbers,
  asObject,
  asObjects,
  asText,
  type JsonObject,
} from '../json/read-values.ts';
import type { MeshMaterial } from './mesh-model.ts';

export interface GltfMaterial extends MeshMaterial {
  /** The number of the image coordinates that it uses. */
  readonly uvSet: number;
  /** KHR_texture_transform: moves u and v as glTF has them, v downwards. */
  readonly transform: readonly [a: number, b: number, c: number, d: number, e: number, f: number] | undefined;
}

/** The base colours of all materials. @param imageName the name of an image of the file */
export function readGltfMaterials(
  root: JsonObject,
  imageName: (image: number) => string,
  onUnsupported: (what: string) => void,
): GltfMaterial[] {
  const textures = asObjects(root['textures']);
  const samplers = asObjects(root['samplers']);
  return asObjects(root['materials']).map((material) => {
    const metallic = asObject(material?.['pbrMetallicRoughness']);
    const extensions = asObject(material?.['extensions']);
    // the older form, which exporters of photogrammetry still write
    const glossy = asObject(extensions?.['KHR_materials_pbrSpecularGlossiness']);
    const info = asObject(metallic?.['baseColorTexture']) ?? asObject(glossy?.['diffuseTexture']);
    const factor = asNumbers(metallic?.['baseColorFactor'], 4) ?? asNumbers(glossy?.['diffuseFactor'], 4);
    const number = asIndex(info?.['index']);
    const texture = number === undefined ? undefined : textures[number];
    const webp = asObject(asObject(texture?.['extensions'])?.['EXT_texture_webp']);
    const image = asIndex(webp?.['source']) ?? asIndex(texture?.['source']);
    if (image === undefined && asObject(texture?.['extensions'])?.['KHR_texture_basisu'] !== undefined)
      onUnsupported('KHR_texture_basisu: export it with PNG, JPEG or WebP');
    const sampler = samplers[asIndex(texture?.['sampler']) ?? -1];
    const moved = asObject(asObject(info?.['extensions'])?.['KHR_texture_transform']);
    const alphaMode = asText(material?.['alphaMode']);
    const isTranslucent = alphaMode === 'BLEND';
    return {
      colour: factor && [
        encodeSrgb(factor[0]!),
        encodeSrgb(factor[1]!),
        encodeSrgb(factor[2]!),
        isTranslucent ? factor[3]! : 1,
      ],
      image: image === undefined ? undefined : imageName(image),
      repeats: sampler?.['wrapS'] !== clampToEdge || sampler['wrapT'] !== clampToEdge,
      uvSet: asIndex(moved?.['texCoord']) ?? asIndex(info?.['texCoord']) ?? 0,
      transform: moved && transformOf(moved),
      alpha: isTranslucent ? 'blend' : alphaMode === 'MASK' ? 'mask' : undefined,
      cutoff: alphaMode === 'MASK' ? Math.max(0, asNumber(material?.['alphaCutoff']) ?? 0.5) : undefined,
      isUnlit: extensions?.['KHR_materials_unlit'] !== undefined,
    };
  });
}

const clampToEdge = 33_071;

/** A linear value from 0 to 1 in sRGB (IEC 61966-2-1). */
export function encodeSrgb(linear: number): number {
  const value = Math.min(1, Math.max(0, linear));
  return value <= 0.003_130_8 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
}

/** A value in sRGB from 0 to 1 as a linear one. */
export function decodeSrgb(value: number): number {
  return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

function transformOf(moved: JsonObject): GltfMaterial['transform'] {
  const [offsetU, offsetV] = asNumbers(moved['offset'], 2) ?? [0, 0];
  const [scaleU, scaleV] = asNumbers(moved['scale'], 2) ?? [1, 1];
  const angle = asNumber(moved['rotation']) ?? 0;
  const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
  return [cos * scaleU!, sin * scaleV!, -sin * scaleU!, cos * scaleV!, offsetU!, offsetV!];
}
