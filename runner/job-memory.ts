/** With less memory than this, the heaps of threads and freed buffers would take a large part of it. */
const scarceMegabytes = 1024;

interface MemorySettings {
  /** Options of Node. */
  readonly options: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * How the process of a job manages memory. The limits of V8 apply to each thread. Where memory is scarce, its young
 * generation is kept small, which otherwise grows to 48 MB in each thread, and glibc divides its memory into two arenas
 * instead of eight per core, each of which keeps what was freed in it.
 */
export function memorySettings(memoryMegabytes: number): MemorySettings {
  const options = [`--max-old-space-size=${Math.floor(memoryMegabytes * 0.8)}`];
  if (memoryMegabytes >= scarceMegabytes) return { options, environment: {} };
  return {
    options: [...options, `--max-semi-space-size=${memoryMegabytes < scarceMegabytes / 2 ? 4 : 8}`],
    environment: { MALLOC_ARENA_MAX: '2' },
  };
}
