import type { ProblemDetail } from '@platen/contract/error';
import type { ToolName } from '@platen/contract/tools';
import { toolNamesOf } from '@platen/viewer/tools';

/** A warning for each tool that the engine does not support, and that visitors therefore do not see. */
export function findUnavailableTools(tools: readonly ToolName[], engineVersion: string): ProblemDetail[] {
  const available = new Set(toolNamesOf(engineVersion));
  return [...tools.entries()]
    .filter(([, name]) => !available.has(name))
    .map(([index, name]) => ({
      pointer: `/tools/${index}`,
      code: 'toolUnavailable',
      detail: `The tool ${name} is left out because map viewer ${engineVersion} does not support it. Choose a newer map viewer, or remove the tool.`,
    }));
}
