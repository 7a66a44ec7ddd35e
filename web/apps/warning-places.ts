import type { ProblemDetail } from '@platen/contract/error';

/** Something odd about an app, and where in which module. */
export interface WarningPlace {
  readonly code: string;
  readonly text: string;
  /** Absent: it is about all of them together. */
  readonly index?: number;
  readonly moduleId?: string;
  readonly moduleName?: string;
  /** The item of the module that the editor shows for it, as in its address: `layers/Trees`. */
  readonly thing?: string;
}

/** The service names a module by its place in the list, and the place in it within the text. */
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

/** “name”: /pointer: text */
function split(detail: string, name: string): RegExpExecArray | null {
  const start = `“${name}”: `;
  return detail.startsWith(start) ? /^((?:\/.*?)?): (.*)$/s.exec(detail.slice(start.length)) : null;
}
