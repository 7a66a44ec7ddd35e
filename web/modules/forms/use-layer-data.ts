import { useStyledData } from '../../map-styles/use-styled-data.ts';
import { textOf, type Item } from '../document/content.ts';
import { useModuleEditor } from '../editor/use-module-editor.ts';

/** What styles, cards and searches of a layer can refer to: the attributes and styles of its datasource. */
export function useLayerData(layer: () => Item | undefined): ReturnType<typeof useStyledData> {
  const { projectId } = useModuleEditor();
  return useStyledData(() => ({
    projectId: projectId.value,
    datasourceId: textOf(layer()?.['datasourceId']),
  }));
}
