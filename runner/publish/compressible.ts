/** From less there is nothing to gain. */
const minBytes = 1024;
const types =
  /^(text\/|image\/svg\+xml|font\/(ttf|otf)|application\/(json|javascript|wasm|xml|manifest\+json|vnd\.mapbox-vector-tile|vnd\.quantized-mesh)\b|[\w.-]+\/[\w.-]+\+(json|xml)\b|model\/gltf-binary)/i;

/** Does it gain from compression, and is it always read as a whole? Archives that are read by ranges never are. */
export function isCompressible({
  contentType,
  size,
}: {
  readonly contentType: string;
  readonly size?: number;
}): boolean {
  return types.test(contentType) && (size === undefined || size >= minBytes);
}
