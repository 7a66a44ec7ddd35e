import type { ProblemDetail } from '@platen/contract/error';

/** A warning about an app and the module it concerns. */
export interface WarningPlace {
  readonly code: string;
  readonly text: string;
  /** Absent if the warning concerns all modules together. */
  readonly index?: number;
  readonly moduleId?: string;
  readonly moduleName?: string;
  /** The module item the editor selects for it, as in the address: `layers/Trees`. */
  readonly thing?: string;
}

/** Parses the service's warnings, which give the module's index and, in the text, the place within it. */
export function placesOf(
  warnings: readonly ProblemDetail[],
  modules: readonly { readonly _id: string; readonly name: string }[],
  moduleIds: readonly string[],
): readonly WarningPlace[] {
  return warnings.map(({ pointer, code, detail }) => {
    const index = /^\/moduleIds\/(\d+)$/.exec(pointer)?.[1];
    if (index === undefined) return { code, text: detail };
    const moduleId = moduleIds[Number(index)];
    const module = modules.find(({ _id }) => _id === moduleId);
    const name = module?.name;
    const [, place, text] = (name !== undefined && split(detail, name)) || [];
    return {
      code,
      text: text ?? detail,
      index: Number(index),
      ...(moduleId !== undefined && { moduleId }),
      ...(name !== undefined && { moduleName: name }),
      ...thingAt(module, place),
    };
  });
}

function thingAt(module: object | undefined, pointer: string | undefined): { thing?: string } {
  const [, list = '', index = ''] = /^\/([^/]+)\/(\d+)(?:\/|$)/.exec(pointer ?? '') ?? [];
  const items: unknown = (module as Readonly<Record<string, unknown>> | undefined)?.[list];
  const item = Array.isArray(items) ? (items[Number(index)] as { name?: unknown } | undefined) : undefined;
  return typeof item?.name === 'string' ? { thing: `${list}/${item.name}` } : {};
}

/** parses “name”: /pointer: text */
function split(detail: string, name: string): RegExpExecArray | null {
  const start = `“${name}”: `;
  return detail.startsWith(start) ? /^((?:\/.*?)?): (.*)$/s.exec(detail.slice(start.length)) : null;
}
