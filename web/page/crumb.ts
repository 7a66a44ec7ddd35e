import { onUnmounted, shallowRef, watchEffect } from 'vue';

/** The name of the thing that a detail page shows, at the end of the breadcrumb and in the title of the window. */
export const crumbOfPage = shallowRef<string>();

export function useCrumb(name: () => string | undefined): void {
  watchEffect(() => {
    crumbOfPage.value = name();
    if (crumbOfPage.value !== undefined) document.title = `${crumbOfPage.value} · Platen`;
  });
  onUnmounted(() => (crumbOfPage.value = undefined));
}
