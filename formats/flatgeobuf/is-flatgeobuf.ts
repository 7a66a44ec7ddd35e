/**
 * Checks the first 8 bytes: "fgb", major version, "fgb", patch. Accepts any version; opening rejects unsupported ones.
 */
export function isFlatGeobuf(head: Uint8Array): boolean {
  return (
    head.length >= 8 &&
    [0, 4].every((at) => head[at] === 0x66 && head[at + 1] === 0x67 && head[at + 2] === 0x62)
  );
}
