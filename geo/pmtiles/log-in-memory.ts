import type { ScratchLog } from './writer.ts';

/** For archives whose directory fits into memory: 32 bytes per tile. */
export function createLogInMemory(): ScratchLog {
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
