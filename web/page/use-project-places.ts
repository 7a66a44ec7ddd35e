import { computed, type MaybeRefOrGetter } from 'vue';
import { usePermissions } from './use-project.ts';
import { projectPlaces, type Place, type PlaceGroup } from './navigation.ts';

/** The places of a project that the person may enter. */
export function useProjectPlaces(projectId: MaybeRefOrGetter<string | undefined>) {
  const { may } = usePermissions(projectId);
  const isOpen = ({ needs }: Place) => needs === undefined || may(needs);
  const openPart = (group: PlaceGroup): PlaceGroup => ({ ...group, places: group.places.filter(isOpen) });
  return computed(() => projectPlaces.map(openPart));
}
