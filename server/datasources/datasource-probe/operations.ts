import type { DatasourceProbe } from '@platen/contract/datasource-probe';
import { EgressError, NetworkError } from '@platen/egress/errors';
import { parseEgressPolicy, type EgressPolicy } from '@platen/egress/policy';
import { request } from '@platen/egress/request';
import type { Context } from '../../base/context.ts';
import { Failure, invalidAt } from '../../base/failure.ts';
import { candidatesOf } from './candidates.ts';
import { fromTemplate, recognise, templateOf, type Answer } from './recognise.ts';

/** Time limit of the whole probe, however many addresses are tried. */
const timeoutMs = 12_000;
const maxResponseBytes = 2 << 20;
/** Each holds up to two megabytes and a connection to somewhere. */
const maxConcurrent = 8;
let running = 0;

interface Probe {
  readonly url: string;
  /** Aborts when the client has disconnected. */
  readonly signal: AbortSignal;
}

/**
 * Detects what an address serves. The same checks apply as to downloads of jobs: public addresses only, and each
 * redirect is checked.
 * @throws Failure `invalid` if the address is malformed or not allowed, `too_many_requests`
 */
export async function probeAddress({ settings }: Context, { url, signal }: Probe): Promise<DatasourceProbe> {
  const template = fromTemplate(url);
  if (template) return template;
  const address = URL.canParse(url.trim()) ? new URL(url.trim()) : undefined;
  if (!address) throw invalidAt('/url', 'It must be an https address.');
  if (running >= maxConcurrent)
    throw new Failure(
      'too_many_requests',
      'Too many addresses are being checked. Try again in a few seconds.',
    );
  running += 1;
  try {
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
    return await firstKnown(address, parseEgressPolicy(settings.fetchAllow), deadline);
  } finally {
    running -= 1;
  }
}

async function firstKnown(address: URL, policy: EgressPolicy, signal: AbortSignal): Promise<DatasourceProbe> {
  let problem = 'The address responds, but not with a known type of map data.';
  for (const { probe, register } of candidatesOf(address)) {
    try {
      const answer = await fetchBeginning(probe, policy, signal);
      const found = answer && (await recognise(answer));
      if (found) return { url: templateOf(answer, found.type) ?? register, ...found };
    } catch (error) {
      if (signal.aborted) {
        problem = `The address did not respond within ${timeoutMs / 1000} seconds.`;
        break;
      }
      if (error instanceof EgressError) throw invalidAt('/url', error.message);
      if (!(error instanceof NetworkError)) throw error;
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
): Promise<Answer | undefined> {
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
      url,
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
