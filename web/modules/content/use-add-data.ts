import type { Datasource } from '@platen/contract/datasources';
import { toastFailure } from '../../api/failure-toast.ts';
import { itemsOf } from '../document/content.ts';
import { useModuleEditor } from '../editor/use-module-editor.ts';

/** Adds a datasource to the module: its layer, and what visitors see of it. */
export function useAddData() {
  const { projectId, content, change, selectItem } = useModuleEditor();
  /** @returns whether it was added */
  return async (datasource: Datasource): Promise<boolean> => {
    try {
      const { readDatasource } = await import('../document/add-datasource.ts');
      const { config, addTo } = await readDatasource(projectId.value, datasource);
      change(addTo(content.value));
      const into = config['type'] === 'ObliqueCollection' ? 'obliqueCollections' : 'layers';
      selectItem(into, itemsOf(content.value, into).length - 1);
      return true;
    } catch (failure) {
      toastFailure(failure);
      return false;
    }
  };
}
