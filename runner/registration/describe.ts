import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import type { RunnerRegistration } from '@platen/contract/runner-registration';
import { catalog } from '@platen/processing/catalog';
import type { RunnerConfig } from '../config.ts';
import { confinementOf } from '../job-confinement.ts';

const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
/** The version of the product, from the root package.json. */
const { version } = JSON.parse(text) as { version: string };

/** The runner's description of itself for the service. */
export async function describeRunner(config: RunnerConfig): Promise<RunnerRegistration> {
  const { measures } = await confinementOf(config.scratchFolder);
  const { labels, memoryMegabytes, cpuSeconds, scratchMegabytes } = config;
  return {
    labels: [...labels],
    version,
    typeNames: Object.keys(catalog),
    capabilities: {
      cores: availableParallelism(),
      memoryMegabytes,
      ...(cpuSeconds !== undefined && { cpuSeconds }),
      ...(scratchMegabytes !== undefined && { scratchMegabytes }),
      platform: `${process.platform} ${process.arch}`,
      node: process.versions.node,
      confinement: [...measures],
    },
  };
}
