import { apiEndpoints } from '@platen/contract/api';
import type { Endpoint } from '@platen/contract/endpoint';
import type { Plugin } from 'vite';

const id = 'virtual:endpoints';

/** The table of endpoints without its schemas, which the browser has no use for: a twentieth of the contract's size. */
export function endpointsPlugin(): Plugin {
  return {
    name: 'platen-endpoints',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load: (source) =>
      source === `\0${id}` ? `export const endpoints = ${JSON.stringify(table())};` : undefined,
  };
}

function table(): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries<Endpoint>(apiEndpoints).map(([name, { method, path, bodyKind, download, events }]) => [
      name,
      { method, path, bodyKind, download, ...(events && { events: {} }) },
    ]),
  );
}
