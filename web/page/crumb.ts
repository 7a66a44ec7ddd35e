import { onUnmounted, shallowRef, watchEffect } from 'vue';

/** The name of a detail page's resource, last in the breadcrumb and in the window title. */
export const crumbOfPage = shallowRef<string>();

export function useCrumb(name: () => string | undefined): void {
  watchEffect(() => {
    crumbOfPage.value = name();
    if (crumbOfPage.value !== undefined) document.title = `${crumbOfPage.value} · Platen`;
  });
  onUnmounted(() => (crumbOfPage.value = undefined));
}
