/** Extensions supported by VC Map 6.3's engine, which rejects models that require others. */
const gltfExtensions = new Set([
  'AGI_articulations',
  'CESIUM_RTC',
  'CESIUM_primitive_outline',
  'EXT_feature_metadata',
  'EXT_instance_features',
  'EXT_mesh_features',
  'EXT_mesh_gpu_instancing',
  'EXT_meshopt_compression',
  'EXT_structural_metadata',
  'EXT_texture_webp',
  'KHR_blend',
  'KHR_draco_mesh_compression',
  'KHR_materials_anisotropy',
  'KHR_materials_clearcoat',
  'KHR_materials_common',
  'KHR_materials_pbrSpecularGlossiness',
  'KHR_materials_specular',
  'KHR_materials_unlit',
  'KHR_mesh_quantization',
  'KHR_techniques_webgl',
  'KHR_texture_basisu',
  'KHR_texture_transform',
  'WEB3D_quantized_attributes',
]);

const tilesetExtensions = new Set([
  '3DTILES_batch_table_hierarchy',
  '3DTILES_bounding_volume_S2',
  '3DTILES_content_gltf',
  '3DTILES_draco_point_compression',
  '3DTILES_implicit_tiling',
  '3DTILES_metadata',
  '3DTILES_multiple_contents',
  'MAXAR_content_geojson',
]);

export const unsupportedGltfExtensions = (required: readonly string[]): string[] =>
  unsupported(required, gltfExtensions);

export const unsupportedTilesetExtensions = (required: readonly string[]): string[] =>
  unsupported(required, tilesetExtensions);

function unsupported(required: readonly string[], known: ReadonlySet<string>): string[] {
  return [...new Set(required)]
    .filter((name) => !known.has(name))
    .map((name) => name.slice(0, 60))
    .slice(0, 20);
}
