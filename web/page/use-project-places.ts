import { computed, type MaybeRefOrGetter } from 'vue';
import { usePermissions } from './use-project.ts';
import { projectPlaces, type Place, type PlaceGroup } from './navigation.ts';

/** The pages of a project that the user may open. */
export function useProjectPlaces(projectId: MaybeRefOrGetter<string | undefined>) {
  const { may } = usePermissions(projectId);
  const isOpen = ({ needs }: Place) => needs === undefined || may(needs);
  const openPart = (group: PlaceGroup): PlaceGroup => ({ ...group, places: group.places.filter(isOpen) });
  return computed(() => projectPlaces.map(openPart));
}
