/** Smaller files gain nothing. */
const minBytes = 1024;
const types =
  /^(text\/|image\/svg\+xml|font\/(ttf|otf)|application\/(json|javascript|wasm|xml|manifest\+json|vnd\.mapbox-vector-tile|vnd\.quantized-mesh)\b|[\w.-]+\/[\w.-]+\+(json|xml)\b|model\/gltf-binary)/i;

/**
 * Whether a file gains from compression and is always read as a whole. Archives are read by ranges and stay
 * uncompressed.
 */
export function isCompressible({
  contentType,
  size,
}: {
  readonly contentType: string;
  readonly size?: number;
}): boolean {
  return types.test(contentType) && (size === undefined || size >= minBytes);
}
