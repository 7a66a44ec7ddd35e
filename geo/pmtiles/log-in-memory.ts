import type { ScratchLog } from './writer.ts';

/** For archives whose directory fits into memory: 32 bytes for each tile. */
export function logInMemory(): ScratchLog {
  const parts: Uint8Array[] = [];
  let length = 0;
  return {
    get length() {
      return length;
    },
    append(bytes) {
      parts.push(bytes.slice());
      length += bytes.length;
    },
    parts: () => parts,
    remove: () => void parts.splice(0),
  };
}
