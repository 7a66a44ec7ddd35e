/** With less memory than this, the heaps of threads and freed buffers would take a large part of it. */
const scarceMegabytes = 1024;

interface MemorySettings {
  /** Options of Node. */
  readonly options: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** V8's usual young generation begins so small that a job of a second collects it a dozen times. */
const youngMegabytes = 16;
/**
 * V8's usual old generation begins so small that buffers which are soon free, such as those of tiles, have it collected
 * a dozen times a second: a seventh of the CPU time of jobs that make imagery or terrain. V8 accepts compiled code only with
 * the option that it was compiled with.
 */
export const roomyHeap = '--initial-old-space-size=80';
/** Compiling on further threads takes a tenth more CPU time in small jobs, and large ones have no core to spare for it. */
const compiling = '--no-concurrent-recompilation';

/**
 * How the process of a job uses memory and compiles. The limits of V8 apply to each thread. Where memory is scarce, its young
 * generation is kept small, which otherwise grows to 48 MB in each thread, and glibc divides its memory into two arenas
 * instead of eight per core, each of which keeps what was freed in it.
 */
export function memorySettings(memoryMegabytes: number): MemorySettings {
  const options = [`--max-old-space-size=${Math.floor(memoryMegabytes * 0.8)}`, compiling];
  if (memoryMegabytes >= scarceMegabytes)
    return {
      options: [...options, `--min-semi-space-size=${youngMegabytes}`, roomyHeap],
      environment: {},
    };
  return {
    options: [...options, `--max-semi-space-size=${memoryMegabytes < scarceMegabytes / 2 ? 4 : 8}`],
    environment: { MALLOC_ARENA_MAX: '2' },
  };
}
