import type { DatasourceProbe } from '@platen/contract/datasource-probe';
import { EgressError, NetworkError } from '@platen/egress/errors';
import { parseEgressPolicy, type EgressPolicy } from '@platen/egress/policy';
import { request } from '@platen/egress/request';
import type { Context } from '../../base/context.ts';
import { Failure, invalidAt } from '../../base/failure.ts';
import { parseTask } from '../../base/parsers/parse-task.ts';
import { ParserStopped } from '../../base/parsers/parse-error.ts';
import { createCounts } from '../../base/counts.ts';
import { candidatesOf } from './candidates.ts';
import { fromTemplate } from './address-template.ts';
import type { parse as recogniseTask, ProbedResponse } from './recognise.ts';

/** Time limit of the whole probe, however many addresses are tried. */
const timeoutMs = 12_000;
const maxResponseBytes = 2 << 20;
/** Each holds up to two megabytes and a connection to somewhere. */
const maxConcurrent = 8;
/** One project must leave some to others. */
const maxOfProject = 4;
const running = createCounts();

const recognise = parseTask<typeof recogniseTask>(new URL('./recognise.ts', import.meta.url));

interface Probe {
  readonly projectId: string;
  readonly url: string;
  /** Aborts when the client has disconnected. */
  readonly signal: AbortSignal;
}

/**
 * Detects what an address serves. The same checks apply as to downloads of jobs: public addresses only, and each
 * redirect is checked.
 * @throws Failure `invalid` if the address is malformed or not allowed, `too_many_requests`
 */
export async function probeAddress(
  context: Context,
  { projectId, url, signal }: Probe,
): Promise<DatasourceProbe> {
  const template = fromTemplate(url);
  if (template) return template;
  const address = URL.canParse(url.trim()) ? new URL(url.trim()) : undefined;
  if (!address) throw invalidAt('/url', 'It must be an https address.');
  if (running.total >= maxConcurrent || running.of(projectId) >= maxOfProject)
    throw new Failure(
      'too_many_requests',
      'Too many addresses are being checked. Try again in a few seconds.',
      { retryAfterSeconds: 5 },
    );
  running.add(projectId);
  try {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    const policy = parseEgressPolicy(context.settings.fetchAllow);
    return await firstKnown(context, { projectId, address, policy, signal: deadline });
  } finally {
    running.remove(projectId);
  }
}

interface AddressProbe {
  readonly projectId: string;
  readonly address: URL;
  readonly policy: EgressPolicy;
  readonly signal: AbortSignal;
}

async function firstKnown(
  { parsers }: Context,
  { projectId, address, policy, signal }: AddressProbe,
): Promise<DatasourceProbe> {
  let problem = 'The address responds, but not with a known type of map data.';
  for (const { probe, register } of candidatesOf(address)) {
    try {
      const input = await fetchBeginning(probe, policy, signal);
      if (!input) continue;
      const file = `The response of “${probe.host}”`;
      const recognised = await parsers.run(recognise, { input, host: {}, tenant: projectId, file });
      if (!recognised) continue;
      const { template = register, ...found } = recognised;
      return { url: template, ...found };
    } catch (error) {
      if (signal.aborted) {
        problem = `The address did not respond within ${timeoutMs / 1000} seconds.`;
        break;
      }
      if (error instanceof EgressError) throw invalidAt('/url', error.message);
      if (!(error instanceof NetworkError || error instanceof ParserStopped)) throw error;
      problem = error.message;
    }
  }
  return { url: address.href, layers: [], typeProperties: {}, problem };
}

/** Returns undefined if the server answers that nothing exists there. */
async function fetchBeginning(
  url: URL,
  policy: EgressPolicy,
  signal: AbortSignal,
): Promise<ProbedResponse | undefined> {
  const response = await request(url.href, { policy, signal, headers: {} });
  try {
    if (response.statusCode !== 200) return undefined;
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxResponseBytes) break;
    }
    return {
      url: url.href,
      bytes: Buffer.concat(chunks).subarray(0, maxResponseBytes),
      isWhole: length <= maxResponseBytes,
    };
  } catch (error) {
    signal.throwIfAborted();
    throw new NetworkError(`“${url.host}” was interrupted: ${(error as Error).message}.`, { cause: error });
  } finally {
    response.destroy();
  }
}
